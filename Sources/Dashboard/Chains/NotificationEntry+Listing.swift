import Screen
import Subscriptions

extension [NotificationEntry] {
  func listing(in wording: Wording) -> Listing {
    let isDeliveryKnown = contains { !$0.sendAttempts.isEmpty }
    let rows = reversed().enumerated().map { index, entry in
      Listing.Row(
        id: "\(index)",
        [
          StyledText(wording.minute(entry.observedAtMs), .dim), StyledText(entry.type.rawValue),
          StyledText(entry.productId.map(wording.products.name(of:)) ?? wording.glyphs.dash),
          StyledText(entry.words(in: wording)),
          StyledText(entry.transactionId?.rawValue ?? wording.glyphs.dash, .dim),
          entry.delivery(in: wording),
        ])
    }
    return Listing(
      [
        .whole("Sent"), .name("Type", least: 16, most: 40),
        .product(of: wording.products, least: 10, priority: 2),
        .name("Says", least: 12, ordinary: 24, priority: 1),
        .name("Transaction", least: 15, most: 40, priority: 3),
        .whole("Delivery", priority: 2).present(isDeliveryKnown),
      ], rows, emptyText: "", in: wording.glyphs)
  }
}

extension NotificationEntry {
  fileprivate func delivery(in wording: Wording) -> StyledText {
    guard let last = sendAttempts.last else { return .dash(in: wording.glyphs) }
    let attempts = sendAttempts.count == 1 ? "" : ", attempt \(sendAttempts.count)"
    return last.succeeded
      ? StyledText("\(wording.glyphs.tick) \(wording.minute(last.atMs))\(attempts)", .good)
      : StyledText("\(wording.glyphs.cross) \(last.result)\(attempts)", .bad)
  }

  fileprivate func words(in wording: Wording) -> String {
    var words: [String] = []
    if let autoRenewStatus {
      let since = autoRenewStatusChangeDateMs.map { " since \(wording.minute($0))" } ?? ""
      words.append("auto-renew \(autoRenewStatus ? "on" : "off")\(since)")
    }
    if let autoRenewProductId, autoRenewProductId != productId {
      words.append("next \(wording.products.name(of: autoRenewProductId))")
    }
    if let cancellationDateMs { words.append("cancelled \(wording.minute(cancellationDateMs))") }
    return words.isEmpty ? wording.glyphs.dash : words.joined(separator: ", ")
  }
}
