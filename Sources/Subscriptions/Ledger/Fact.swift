/// Something that figures count by a date of its own: METRICS §5. Changes of position are counted by themselves (`Change`).
public struct Fact: Hashable, Sendable {
  public var at: Instant
  public var kind: FactClass
  public var sum: FactSum

  public init(_ at: Instant, _ kind: FactClass, _ sum: FactSum = FactSum(count: 1)) {
    self.at = at
    self.kind = kind
    self.sum = sum
  }
}

/// How many, and how much in the currency of the class.
public struct FactSum: LedgerSum {
  public var count: Int64
  public var micros: Int128
  /// The amount in the reporting currency; of a sale its price.
  public var converted: Converted
  /// What Apple leaves of sales, in the reporting currency.
  public var proceeds: ConvertedProceeds

  public init() { self.init(count: 0) }

  public init(
    count: Int64 = 0, micros: Int128 = 0, converted: Converted = Converted(),
    proceeds: ConvertedProceeds = ConvertedProceeds()
  ) {
    self.count = count
    self.micros = micros
    self.converted = converted
    self.proceeds = proceeds
  }

  public static func += (left: inout FactSum, right: FactSum) {
    left.count &+= right.count
    left.micros += right.micros
    left.converted += right.converted
    left.proceeds.standard += right.proceeds.standard
    left.proceeds.reduced += right.proceeds.reduced
  }

  public static prefix func - (sum: FactSum) -> FactSum {
    FactSum(
      count: 0 &- sum.count, micros: 0 - sum.micros, converted: -sum.converted,
      proceeds: ConvertedProceeds(
        standard: 0 - sum.proceeds.standard, reduced: 0 - sum.proceeds.reduced))
  }
}

/// Proceeds of sales at either of Apple's shares, since only a question says who was in the Small Business Program.
public struct ConvertedProceeds: Hashable, Sendable {
  /// Micros of the reporting currency, at 30 %.
  public var standard: Int128
  /// The same at 15 %.
  public var reduced: Int128

  public init(standard: Int128 = 0, reduced: Int128 = 0) {
    self.standard = standard
    self.reduced = reduced
  }

  func after(_ commission: Commission) -> Int128 { commission == .standard ? standard : reduced }
}

/// What looks otherwise at the end of a window than the sums say, which know of no instant.
public struct Correction: Sendable {
  /// A stretch of the window.
  public var place: Int
  public var kind: FactClass
  public var sum: FactSum

  public init(place: Int, kind: FactClass, sum: FactSum) {
    self.place = place
    self.kind = kind
    self.sum = sum
  }
}

extension LineEvent {
  /// What the event is counted as.
  public var fact: Fact {
    Fact(effectiveAt, FactClass(.event(newProduct: newProductID), environment, product: productID))
  }
}

extension RowSum {
  /// Adds what a figure counts of facts.
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
      converted += Converted(
        micros: sum.proceeds.after(commission), unconverted: sum.converted.unconverted)
    }
  }
}
