import Subscriptions

extension Transaction {
  /// Standard monthly period of chain `1`, or a one-time purchase if `expires` is `nil`.
  public static func make(
    _ id: String, chain: String = "1", product: String = "monthly", purchase: Instant, expires: Instant?,
    change: (inout Transaction) -> Void = { _ in }
  ) -> Transaction {
    var transaction = Transaction(
      transactionID: TransactionID(id), originalTransactionID: OriginalTransactionID(chain),
      productID: ProductID(product), purchaseDate: purchase, expiresDate: expires)
    change(&transaction)
    return transaction
  }
}
