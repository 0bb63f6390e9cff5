import FoundationEssentials
import Subscriptions

extension FakeStore {
  /// What the app would have handed over: the receipt of a subscriber as of an instant, with the app's own name for the user.
  public struct HandedOver: Sendable {
    public let receipt: ReceiptData
    public let appUserID: AppUserID?
    public let bundleID: BundleID

    /// One line of what `subtop import receipts` reads. It holds the receipt: data, not a log.
    public var jsonLine: String {
      let user = appUserID.map { "\"app_user_id\":\"\($0)\"," } ?? ""
      return "{\(user)\"bundle_id\":\"\(bundleID)\",\"receipt-data\":\"\(receipt.base64)\"}"
    }
  }

  public func receipt(of subscriber: Subscriber, at t: Instant) -> HandedOver {
    let data = subscriber.receipt(of: Life(of: subscriber, until: t), at: t, padding: receiptPadding)
    return HandedOver(
      receipt: ReceiptData(trusted: Data(data).base64EncodedString()),
      appUserID: subscriber.appUserID,
      bundleID: subscriber.bundleID)
  }

  /// The receipts of the whole population, made one by one; none of who comes later.
  public func receipts(at t: Instant) -> some Sequence<HandedOver> {
    (0..<population.count).lazy.map { population[$0] }
      .filter { $0.index < population.countAtFounding || $0.starts <= t }
      .map { receipt(of: $0, at: t) }
  }
}
