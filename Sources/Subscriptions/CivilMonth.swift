/// Month of the proleptic Gregorian calendar, UTC.
public struct CivilMonth: Hashable, Comparable, Sendable {
  /// Months since January of the year 0.
  public let index: Int

  public init(index: Int) { self.index = index }

  public init(of date: CivilDate) { index = date.year * 12 + date.month - 1 }

  public init(of instant: Instant) { self.init(of: instant.civilDate) }

  public var year: Int { index >= 0 ? index / 12 : (index - 11) / 12 }
  public var month: Int { index - year * 12 + 1 }

  public func adding(months: Int) -> CivilMonth { CivilMonth(index: index + months) }

  public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

extension CivilMonth: CustomStringConvertible {
  /// `2026-03`
  public var description: String {
    let (year, month) = (String(year), String(month))
    return
      "\(String(repeating: "0", count: max(0, 4 - year.count)))\(year)-\(month.count < 2 ? "0" : "")\(month)"
  }

  public init?(parsing text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), (1...12).contains(month)
    else { return nil }
    index = year * 12 + month - 1
  }
}

extension CivilMonth: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
