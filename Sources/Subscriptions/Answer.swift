/// What one validation of a receipt said, in the domain's words: the union of every place where Apple puts transactions.
public struct Answer: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var bundleID: BundleID?
  /// Apple's clock when it answered: the "now" of everything in this answer.
  public var requestDate: Instant?
  /// De-duplicated on `transaction_id`; `latest_receipt_info` won over `in_app`.
  public var transactions: [Transaction]
  /// Those that stood in `in_app` alone, which lags: they add what was unknown and take nothing back.
  public var lagging: Set<TransactionID> = []
  public var renewalInfos: [RenewalInfo]
  /// What renewals will cost; signed data alone tells it.
  public var renewalTerms: [RenewalTerms] = []
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

extension Answer {
  /// Tells whether two answers say the same of the same chains, in whatever order: FNV-1a over 128 bits.
  ///
  /// `latest_receipt` is left out, since Apple may sign the same facts anew each time.
  public var digest: UInt128 {
    var hash = StableHash()
    hash.add(environment.rawValue)
    // Sorts indices instead of structs.
    let order = transactions.indices.sorted {
      transactions[$0].transactionID < transactions[$1].transactionID
    }
    for place in order {
      hash.add(transactions[place])
      hash.add(lagging.contains(transactions[place].transactionID) ? 1 : 0)
    }
    for info in renewalInfos.map(\.digest).sorted() { hash.add(info) }
    for terms in renewalTerms.sorted(by: RenewalTerms.inOrder) {
      hash.add(terms)
    }
    return hash.value
  }
}

extension Answer {
  /// The chains that it names, in rows or in what it says of renewal.
  public var namedChains: Set<OriginalTransactionID> {
    Set(transactions.map(\.originalTransactionID)).union(renewalInfos.compactMap(\.originalTransactionID))
  }

  /// Leaves out the chains that nothing shows to be the receipt's.
  public mutating func leaveOut(_ strangers: Set<OriginalTransactionID>) {
    guard !strangers.isEmpty else { return }
    transactions.removeAll { strangers.contains($0.originalTransactionID) }
    lagging.formIntersection(transactions.map(\.transactionID))
    // What names no chain may as well be about one that is left out.
    renewalInfos.removeAll { $0.originalTransactionID.map(strangers.contains) ?? true }
  }
}
