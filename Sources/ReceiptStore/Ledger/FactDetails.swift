import Subscriptions

/// What a bought row is counted by, as `FactClass.detail` spells it.
struct BoughtDetail: Hashable {
  var isPaid: Bool
  var arrival: Arrival
  var isPastFirstYear: Bool
  var isRefunded: Bool
  /// In the currency of the class; nil is unpriced.
  var priceMicros: Int64?
  var app: BundleID?

  var text: String {
    let flags = [isPaid, isPastFirstYear, isRefunded].map { $0 ? "1" : "0" }.joined()
    let price = priceMicros.map(String.init) ?? "-"
    return "\(flags) \(arrival.rawValue) \(price) \(app?.rawValue ?? "")"
  }

  /// Nil is unpriced.
  func price(in currency: CurrencyCode?) -> Money? {
    guard let currency, let priceMicros else { return nil }
    return Money(micros: priceMicros, currency: currency)
  }
}

extension BoughtDetail {
  /// Reads `text`.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, words[0].utf8.count == 3, let arrival = Arrival(rawValue: String(words[1])) else {
      return nil
    }
    let flags = words[0].map { $0 == "1" }
    self.init(
      isPaid: flags[0], arrival: arrival, isPastFirstYear: flags[1], isRefunded: flags[2],
      priceMicros: Int64(words[2]), app: words[3].isEmpty ? nil : BundleID(String(words[3])))
  }
}

/// What a paid row that came due is counted by.
struct DueDetail: Hashable {
  var outcome: PeriodOutcome
  /// ISO 8601; nil is unknown.
  var period: String?

  var text: String { "\(outcome.rawValue) \(period ?? "-")" }
  /// In the path of its figures.
  var periodName: String { period ?? "unknown" }
}

extension DueDetail {
  /// Reads `text`.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let outcome = PeriodOutcome(rawValue: String(words[0])) else { return nil }
    self.init(outcome: outcome, period: words[1] == "-" ? nil : String(words[1]))
  }
}

/// What a row that was upgraded away is counted by.
struct UpgradeDetail: Hashable {
  var direction: ChangeDirection
  var isConfirmed: Bool

  var text: String { "\(direction.rawValue) \(isConfirmed ? "1" : "0")" }
}

extension UpgradeDetail {
  /// Reads `text`.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let direction = ChangeDirection(rawValue: String(words[0])) else { return nil }
    self.init(direction: direction, isConfirmed: words[1] == "1")
  }
}
