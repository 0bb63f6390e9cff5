import Subscriptions

/// Rows, lines or events that count alike.
struct RowGroup {
  var product: ProductID
  /// As the family spells it.
  var detail: String
  /// Of all of them together; nil where there is none.
  var amount: Money?
  var rows: Int
}

extension RowGroup {
  fileprivate init(_ key: TallyKey, _ value: TallyValue) {
    product = key.product
    detail = key.detail
    amount = key.currency.map { Money(micros: value.micros, currency: $0) }
    rows = Int(value.count)
  }
}

extension Sequence<(key: KnownKey, value: TallyValue)> {
  /// Those of one family that a question is about.
  func groups(_ family: TallyFamily, _ question: Question) -> [RowGroup] {
    compactMap { known, value in
      guard known.key.family == family, value.count != 0, question.includes(known.key) else { return nil }
      return RowGroup(known.key, value)
    }
  }

  func bought(_ question: Question) -> [(group: RowGroup, detail: BoughtDetail)] {
    compactMap { known, value in
      guard let bought = known.bought, value.count != 0, question.includes(known.key) else { return nil }
      return (RowGroup(known.key, value), bought)
    }
  }
}

extension BoughtDetail {
  /// Nil is unpriced.
  func price(in currency: CurrencyCode?) -> Money? {
    guard let currency, let priceMicros else { return nil }
    return Money(micros: priceMicros, currency: currency)
  }
}

extension TallyKey {
  /// Reads the detail of an upgrade.
  static func upgrade(_ detail: String) -> (direction: ChangeDirection, isConfirmed: Bool) {
    let words = detail.split(separator: " ")
    return (words.first.flatMap { ChangeDirection(rawValue: String($0)) } ?? .unranked, words.last == "1")
  }
}

extension Question {
  func includes(_ key: TallyKey) -> Bool { environment.contains(key.environment) && includes(key.product) }
}
