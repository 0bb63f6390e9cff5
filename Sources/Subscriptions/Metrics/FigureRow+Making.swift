extension FigureRow {
  /// A line, counted by its current or refunded row.
  init(_ figures: [String], _ judged: JudgedLine, amount: Money? = nil) {
    let (line, verdict) = (judged.line, judged.verdict)
    self.init(
      figures, environment: line.id.environment, chain: line.id.originalTransactionID,
      group: line.id.subscriptionGroupID, user: line.users.min(), transaction: verdict.current.id,
      product: verdict.current.productID, kind: verdict.current.kind.rawValue, state: verdict.state,
      at: verdict.accessUntil, amount: amount, why: "\(verdict.state.rawValue): \(verdict.why)")
  }

  init(
    _ figures: [String], _ row: Row, of line: Line, at: Instant, amount: Money? = nil, proceeds: Money? = nil,
    why: String
  ) {
    self.init(
      figures, environment: line.id.environment, chain: line.id.originalTransactionID,
      group: line.id.subscriptionGroupID, user: line.users.min(), transaction: row.id, product: row.productID,
      kind: row.kind.rawValue, at: at, amount: amount, proceeds: proceeds, why: why)
  }

  init(oneTimeRefund purchase: Population.OneTimePurchase, _ question: Question) {
    let transaction = purchase.transaction
    let cancelled = transaction.cancellationDate ?? transaction.purchaseDate
    self.init(
      ["one_time"], environment: purchase.environment, chain: transaction.originalTransactionID, group: nil,
      user: purchase.users.min(), transaction: transaction.transactionID, product: transaction.productID,
      kind: "one_time", at: cancelled,
      why: FigureReason.refund(cancelled: cancelled, reason: transaction.cancellationReason, at: question.at))
  }
}
