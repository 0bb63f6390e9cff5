import Screen
import Subscriptions

extension LineEntry {
  /// Returns the sums of paid periods that have begun: price, proceeds, refunds and upgrade credit. `nil` if
  /// there are none, or if the line is family-shared.
  func money(at now: Instant) -> StyledText? {
    let paid = transactions.filter { $0.kind != "trial" && $0.purchaseMs <= now }
    guard !paid.isEmpty, !familyShared else { return nil }
    let unpriced = paid.count { $0.priceMicros == nil }
    var parts: [StyledText] = [StyledText(CountText.of(paid.count, "paid period"))]
    let sums: [(String, [Int64?], Style)] = [
      ("at price ", paid.map(\.priceMicros), .money), ("proceeds ", paid.map(\.proceedsMicros), .money),
      ("refunded ", paid.map { $0.refunded ? $0.partialRefundMicros ?? $0.priceMicros : nil }, .bad),
      ("upgrade credit ", paid.map(\.proratedRefundMicros), .warn),
    ]
    for (name, micros, style) in sums {
      let amounts = Amounts(
        zip(paid, micros).compactMap { row, micros in
          row.currency.flatMap { currency in micros.map { Money(micros: $0, currency: currency) } }
        })
      if !amounts.isEmpty { parts.append([TextSpan(name, .dim), TextSpan(MoneyText.of(amounts), style)]) }
    }
    if unpriced > 0 { parts.append(StyledText("\(CountText.of(unpriced)) without a price", .warn)) }
    return parts.joined(by: "  ")
  }

  /// Returns whether the group's introductory offer is still available, or the transaction that used it.
  func introOffer(in wording: Wording) -> StyledText {
    guard let introOfferUsedBy else { return StyledText("still to be had in this group") }
    let used = transactions.first { $0.transactionId == introOfferUsedBy }
    return [
      TextSpan("used up "), TextSpan(used.map { "on \(wording.date($0.purchaseMs)) by " } ?? "by "),
      TextSpan(introOfferUsedBy.rawValue),
      TextSpan(
        used == nil ? ", of another subscription of the user" : used?.kind == "trial" ? ", a trial" : "", .dim
      ),
    ]
  }
}
