import GRDB

/// Apple's ids as tables hold them: decimals as numbers, which take half the room, and what else there may be as text.
enum StoredID {
  /// Nil where the number would not say the same text again.
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

  /// What to look an id up by.
  static func value(_ id: String) -> DatabaseValue { number(id)?.databaseValue ?? id.databaseValue }
}

extension BoundStatement {
  mutating func bind(id: String?) {
    if let number = id.flatMap(StoredID.number) { bind(number) } else { bind(id) }
  }
}
