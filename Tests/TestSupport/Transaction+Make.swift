import Subscriptions

extension Transaction {
  /// A standard monthly period of the chain `1`, bought at `purchase` and ending at `expires`.
  ///
  /// - Parameter expires: nil makes a one-time purchase.
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
