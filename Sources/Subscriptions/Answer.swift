/// What one validation of a receipt said, in the domain's words: the union of every place where Apple puts transactions.
public struct Answer: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var bundleID: BundleID?
  /// Apple's clock when it answered: the "now" of everything in this answer.
  public var requestDate: Instant?
  /// De-duplicated on `transaction_id`; `latest_receipt_info` won over `in_app`.
  public var transactions: [Transaction]
  public var renewalInfos: [RenewalInfo]
  /// The receipt to send next time.
  public var latestReceipt: ReceiptData?

  public init(
    environment: StoreEnvironment, bundleID: BundleID? = nil, requestDate: Instant? = nil,
    transactions: [Transaction] = [], renewalInfos: [RenewalInfo] = [], latestReceipt: ReceiptData? = nil
  ) {
    self.environment = environment
    self.bundleID = bundleID
    self.requestDate = requestDate
    self.transactions = transactions
    self.renewalInfos = renewalInfos
    self.latestReceipt = latestReceipt
  }
}
