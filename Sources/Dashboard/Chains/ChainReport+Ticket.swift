import Screen
import Subscriptions

extension ChainReport {
  /// Returns plain text for a support ticket, with full ids: the customer, then product, time, last event and
  /// conclusion of each subscription.
  func ticket(in wording: Wording) -> String {
    var wording = wording
    wording.products = .whole
    let users = appUserIds.isEmpty ? "no app user known" : appUserIds.map(\.rawValue).joined(separator: ", ")
    let token = appAccountToken.map { ", account token \($0)" } ?? ""
    let app = bundleId.map { " of \($0)" } ?? ""
    let who =
      "Customer: \(users)\(token)\(app), original transaction id \(originalTransactionId), \(environment.rawValue)"
    let what = lines.flatMap { $0.ticket(in: wording) }
    return ([who] + (what.isEmpty ? ["Subscription: none, one-time purchases alone"] : what)).map(\.harmless)
      .joined(separator: "\n")
  }
}

extension LineEntry {
  fileprivate func ticket(in wording: Wording) -> [String] {
    let since = transactions.first.map { "since \(wording.moment($0.purchaseMs)), " } ?? ""
    let last = events.first.map { event in
      let transaction = event.transactionID.map { ", transaction \($0)" } ?? ""
      return "\(event.type.rawValue) on \(wording.moment(event.effectiveAt))\(transaction)"
    }
    let prefix = "\(state.rawValue): "
    let reason = why.hasPrefix(prefix) ? String(why.dropFirst(prefix.count)) : why
    return [
      "Subscription: \(productId), \(state.mark(in: .ascii).drop { !$0.isLetter })",
      "Time: \(since)access until \(wording.moment(accessUntilMs))",
      "Last event: \(last ?? "none known")",
      "Conclusion: \(meaning(in: wording)) Why: \(reason)",
    ]
  }
}
