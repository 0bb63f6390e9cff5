import GRDB

/// Encoding of Apple's ids in tables: decimal ids as numbers, which take half the space, others as text.
enum StoredID {
  /// Returns the number of a decimal id, or `nil` if the number would not give the same text again.
  static func number(_ id: String) -> Int64? {
    let digits = id.utf8
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      let (tens, isTooLong) = number.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      guard !isTooLong, !isTooLarge else { return nil }
      number = sum
    }
    return number
  }

  static func value(_ id: String) -> DatabaseValue { number(id)?.databaseValue ?? id.databaseValue }
}

extension BoundStatement {
  mutating func bind(id: String?) {
    if let number = id.flatMap(StoredID.number) { bind(number) } else { bind(id) }
  }
}
