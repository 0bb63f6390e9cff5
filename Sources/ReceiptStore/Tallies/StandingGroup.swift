import Subscriptions

/// Lines that stand alike.
struct StandingGroup {
  var product: ProductID
  var detail: StandingDetail
  /// Of all of them together.
  var monthly: Money?
  var lines: Int
}

extension TallyBook.Sums {
  /// The lines that a question is about.
  func groups(_ question: Question) -> [StandingGroup] {
    compactMap { known, value in
      let key = known.key
      guard value.count != 0, question.includes(key), let detail = known.standing else { return nil }
      return StandingGroup(
        product: key.product, detail: detail,
        monthly: key.currency.map { Money(micros: value.micros, currency: $0) }, lines: Int(value.count))
    }
  }
}
