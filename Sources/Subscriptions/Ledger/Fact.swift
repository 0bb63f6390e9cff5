/// Dated occurrence that figures count, such as a purchase or a refund (METRICS §5).
public struct Fact: Hashable, Sendable {
  public var at: Instant
  public var kind: FactClass
  public var sum: FactSum

  public init(_ at: Instant, _ kind: FactClass, _ sum: FactSum = FactSum(count: 1)) {
    (self.at, self.kind, self.sum) = (at, kind, sum)
  }
}

/// Number of facts, and the sum of their amounts in the currency of the class.
public struct FactSum: LedgerSum {
  public var count: Int64
  /// Sum of the amounts; 0 for purchases, because their class contains the price.
  public var micros: Int128
  /// Sum of the amounts in the reporting currency; for purchases, the sum of their prices.
  public var converted: Converted
  /// Proceeds of purchases after Apple's commission, in the reporting currency.
  public var proceeds: ConvertedProceeds

  public init() { self.init(count: 0) }

  public init(
    count: Int64 = 0, micros: Int128 = 0, converted: Converted = Converted(),
    proceeds: ConvertedProceeds = ConvertedProceeds()
  ) {
    (self.count, self.micros, self.converted, self.proceeds) = (count, micros, converted, proceeds)
  }

  public mutating func add(_ other: FactSum, times sign: Int64) {
    count &+= sign &* other.count
    micros += Int128(sign) * other.micros
    converted.add(other.converted, times: sign)
    proceeds.standard += Int128(sign) * other.proceeds.standard
    proceeds.reduced += Int128(sign) * other.proceeds.reduced
  }

  var negated: FactSum {
    let converted = Converted(micros: 0 - converted.micros, unconverted: converted.unconverted)
    return FactSum(count: count, micros: 0 &- micros, converted: converted)
  }
}

/// Proceeds in micros, both at 30 % and at 15 % commission; the purchases' `Commission` decides which counts.
public struct ConvertedProceeds: Hashable, Sendable {
  public var standard: Int128
  public var reduced: Int128

  public init(standard: Int128 = 0, reduced: Int128 = 0) {
    (self.standard, self.reduced) = (standard, reduced)
  }

  func after(_ commission: Commission) -> Int128 { commission == .standard ? standard : reduced }
}

/// Sum to add to the stored sum of a class in stretch `place`, to obtain the sum as of the window's end.
public typealias Correction = (place: Int, kind: FactClass, sum: FactSum)

extension LineEvent {
  public var fact: Fact {
    Fact(effectiveAt, FactClass(.event(newProduct: newProductID), environment, product: productID))
  }
}

extension RowSum {
  mutating func add(_ sum: FactSum, as unit: CountedFact.Unit) {
    rows += sum.count
    switch unit {
    case .rows: break
    case .amount:
      micros += sum.micros
      converted += sum.converted
    case .sale(let price):
      micros += Int128(price) * Int128(sum.count)
      converted += sum.converted
    case .proceeds(let proceeds, let commission):
      micros += Int128(proceeds) * Int128(sum.count)
      converted += Converted(micros: sum.proceeds.after(commission), unconverted: sum.converted.unconverted)
    }
  }
}
