/// What is not auto-renewable of a chain, each purchase once: METRICS §1.3.
struct OneTimePurchases {
  private(set) var kept: [Transaction] = []
  /// Other ids of the same purchases, with the ids under which they are kept.
  private(set) var duplicates: [TransactionID: TransactionID] = [:]

  init(of transactions: [Transaction]) {
    struct Key: Hashable {
      let item: WebOrderLineItemID
      let product: ProductID
      let purchase: Instant
    }
    var places: [Key: Int] = [:]
    let oneTime = transactions.filter { $0.expiresDate == nil }.sorted { $0.transactionID < $1.transactionID }
    for transaction in oneTime {
      let key = transaction.webOrderLineItemID.map {
        Key(item: $0, product: transaction.productID, purchase: transaction.purchaseDate)
      }
      if let key, let place = places[key] {
        duplicates[transaction.transactionID] = kept[place].transactionID
        if kept[place].cancellationDate == nil {
          kept[place].cancellationDate = transaction.cancellationDate
          kept[place].cancellationReason = transaction.cancellationReason
        }
      } else {
        if let key { places[key] = kept.count }
        kept.append(transaction)
      }
    }
  }
}
