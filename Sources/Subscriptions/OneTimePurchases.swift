/// What is not auto-renewable of a chain, each purchase once: METRICS §1.3.
struct OneTimePurchases {
  private(set) var kept: [Transaction] = []
  /// Other ids of the same purchases, with the ids under which they are kept.
  private(set) var duplicates: [TransactionID: TransactionID] = [:]

  init(of transactions: [Transaction]) {
    var places: [PurchaseKey: Int] = [:]
    let oneTime = transactions.filter { $0.expiresDate == nil }.sorted { $0.transactionID < $1.transactionID }
    for transaction in oneTime {
      let key = PurchaseKey(transaction)
      if let key, let place = places[key] {
        duplicates[transaction.transactionID] = kept[place].transactionID
        kept[place].absorb(duplicate: transaction)
      } else {
        if let key { places[key] = kept.count }
        kept.append(transaction)
      }
    }
  }
}
