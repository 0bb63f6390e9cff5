/// Content of an answer about a receipt, with the transactions of all its lists (METRICS §1.2).
public struct Answer: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var bundleID: BundleID?
  public var requestDate: Instant?
  /// Transactions with distinct ids; an entry of `latest_receipt_info` takes precedence over one of `in_app`.
  public var transactions: [Transaction]
  /// Ids of transactions known only from an older source: `in_app`, or a notification without arrival time.
  ///
  /// These transactions add to the stored ones, but never replace them.
  public var lagging: Set<TransactionID> = []
  public var renewalInfos: [RenewalInfo]
  /// Terms of the next renewals, which only signed data contains.
  public var renewalTerms: [RenewalTerms] = []
  public var latestReceipt: ReceiptData?

  public init(
    environment: StoreEnvironment, bundleID: BundleID? = nil, requestDate: Instant? = nil,
    transactions: [Transaction] = [], renewalInfos: [RenewalInfo] = [], latestReceipt: ReceiptData? = nil
  ) {
    (self.environment, self.bundleID, self.requestDate) = (environment, bundleID, requestDate)
    (self.transactions, self.renewalInfos) = (transactions, renewalInfos)
    self.latestReceipt = latestReceipt
  }

  /// Hash that ignores the order of the lists, the app, the date, and the receipt, which Apple may sign anew.
  public var digest: UInt128 {
    var hash = StableHash()
    hash.add(environment.rawValue)
    let order = transactions.indices.sorted {
      transactions[$0].transactionID < transactions[$1].transactionID
    }
    for place in order {
      hash.add(transactions[place])
      hash.add(lagging.contains(transactions[place].transactionID) ? 1 : 0)
    }
    for info in renewalInfos.map(\.digest).sorted() { hash.add(info) }
    for terms in renewalTerms.sorted(by: RenewalTerms.inOrder) { hash.add(terms) }
    return hash.value
  }

  public var namedChains: Set<OriginalTransactionID> {
    Set(transactions.map(\.originalTransactionID)).union(renewalInfos.compactMap(\.originalTransactionID))
  }

  /// Removes the data of `strangers`, which are chains that are not known to belong to the receipt.
  public mutating func leaveOut(_ strangers: Set<OriginalTransactionID>) {
    guard !strangers.isEmpty else { return }
    transactions.removeAll { strangers.contains($0.originalTransactionID) }
    lagging.formIntersection(transactions.map(\.transactionID))
    // A renewal info without a chain could belong to a removed chain.
    renewalInfos.removeAll { $0.originalTransactionID.map(strangers.contains) ?? true }
  }
}

/// Archived answer without its receipt, or one row that Apple signed.
public struct ImportedAnswer: Hashable, Sendable {
  public var answer: Answer
  public var status: Int
  public var appUserID: AppUserID?
  /// Time of the answer; if `nil`, its `request_date` is used, or else the time of the import.
  public var observedAt: Instant?
  public var signed: SignedText?

  public init(
    answer: Answer, status: Int, appUserID: AppUserID? = nil, observedAt: Instant? = nil,
    signed: SignedText? = nil
  ) {
    (self.answer, self.status, self.appUserID) = (answer, status, appUserID)
    (self.observedAt, self.signed) = (observedAt, signed)
  }

  public static func lead(ofSigned signedAt: Instant, over now: Instant) -> String? {
    guard signedAt > now + Milliseconds.day else { return nil }
    let days = (signedAt - now) / Milliseconds.day
    // The message omits the date, so that many notifications have the same reason.
    let lead = days == 1 ? "a day" : "\(days) days"
    return "Apple signed it \(lead) ahead of this machine's clock; correct the clock and try again"
  }
}

/// Answer of the Server API about one customer.
public struct CustomerHistory: Hashable, Sendable {
  public var answer: Answer
  public var rows: [ImportedAnswer]
  /// Revision from which the next request continues.
  public var revision: String?

  public init(answer: Answer, rows: [ImportedAnswer], revision: String?) {
    (self.answer, self.rows, self.revision) = (answer, rows, revision)
  }
}

/// Signed data (JWS) in base64url, stored so that it can be verified again.
public struct SignedText: Hashable, Sendable {
  /// JWS header; thousands of rows have the same header.
  public var header: String
  public var payload: String
  public var signature: String

  public init(header: String, payload: String, signature: String) {
    (self.header, self.payload, self.signature) = (header, payload, signature)
  }

  /// Compact form (RFC 7515 §7.1).
  public var text: String { "\(header).\(payload).\(signature)" }
}
