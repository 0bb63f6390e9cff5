import Screen
import Subscriptions

/// Value of a cell for sorts and filters, parsed from the visible text so that results match the screen.
package struct CellValue: Hashable, Sendable {
  /// Currency of an amount; empty for other numbers.
  let currency: String
  /// Number in the cell; `nil` if there is none.
  ///
  /// Ages are in days, and negative if they are in the future. Shares are in percent.
  let number: Double?
  let text: String

  package init(_ text: String) {
    self.text = text.lowercased()
    let words = text.split(separator: " ").drop { String($0) == GlyphSet.unicode.about }.map(\.self)
    let isAmount = words.count > 1 && words[0].count == 3 && words[0].allSatisfy(\.isUppercase)
    let (isToCome, isLater) = (words.first == "in", words.last == "later")
    let rest = isAmount || isToCome || words.first == "within" ? words.dropFirst() : words[...]
    currency = isAmount ? String(words[0]) : ""
    guard let first = rest.first, let (number, unit) = Self.number(first) else {
      number = nil
      return
    }
    let named = unit.isEmpty ? rest.dropFirst().first.map(String.init) ?? "" : unit
    self.number = number * (Self.units[named] ?? 1) * (isToCome || isLater ? -1 : 1)
  }

  init(_ money: Money) {
    (currency, text) = (money.currency.rawValue, MoneyText.of(money))
    number = Double(money.micros) / 1_000_000
  }

  private static func number(_ word: Substring) -> (Double, unit: String)? {
    let digits = word.prefix { $0.isASCII && ($0.isNumber || "+-.,".contains($0)) }
    guard let number = Double(digits.filter { $0 != "," }) else { return nil }
    let unit = String(word.dropFirst(digits.count))
    // A date or an id that begins with digits is not a number.
    return unit.isEmpty || units[unit] != nil ? (number, unit) : nil
  }

  /// Factors that convert ages to days; 1 for percentages.
  private static let units: [String: Double] = [
    "%": 1, "ms": 1 / 86_400_000, "s": 1 / 86_400, "min": 1 / 1440, "h": 1 / 24, "d": 1, "mo": 30, "y": 365,
  ]
}

extension CellValue {
  /// Whether the cell has no value; such cells sort last in either direction.
  package var isMissing: Bool { ["", "-", "\u{2013}", "unknown", "none"].contains(text) }
}

extension CellValue: Comparable {
  /// Orders numbers before words, and amounts of different currencies by currency.
  package static func < (left: Self, right: Self) -> Bool {
    switch (left.number, right.number) {
    case (let one?, let other?):
      left.currency == right.currency ? one < other : left.currency < right.currency
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): left.text < right.text
    }
  }
}

/// Time zone and current time for comparing dates in filters such as `when>=2026-11` and `expires<7d`.
package struct DateCells: Hashable, Sendable {
  let zone: Zone
  let now: Instant

  package init(zone: Zone, now: Instant) { (self.zone, self.now) = (zone, now) }

  /// Returns the dates that a filter's word means; `nil` if it is neither a date nor an age.
  ///
  /// Both bounds of a date are the date itself. The bounds of the age `7d` are 7 days before and after now.
  func bounds(of word: String) -> ClosedRange<String>? {
    let isYear = word.prefix(4).count { $0.isASCII && $0.isNumber } == 4
    if isYear, word.count == 4 || word.dropFirst(4).first == "-",
      word.allSatisfy({ $0.isASCII && $0.isNumber || "-t: ".contains($0) })
    {
      let date = word.replacing("t", with: " ")
      return date...date
    }
    let value = CellValue(word)
    guard let days = value.number?.magnitude, days < 1e6, value.currency.isEmpty else { return nil }
    let age = Int64(days * Double(Milliseconds.day))
    return zone.minute(now - age)...max(zone.minute(now - age), zone.minute(now + age))
  }
}
