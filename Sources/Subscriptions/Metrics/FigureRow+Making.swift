extension FigureRow {
  init(
    _ figures: [String], _ row: Row, of line: Line, at: Instant, amount: Money? = nil, proceeds: Money? = nil,
    why: String
  ) {
    self.init(
      figures, environment: line.id.environment, chain: line.id.originalTransactionID,
      group: line.id.subscriptionGroupID, user: line.users.min(), transaction: row.id, product: row.productID,
      kind: row.kind.rawValue, at: at, amount: amount, proceeds: proceeds, why: why)
    (storefront, priceSource, offer) = (row.storefront, row.price?.source, row.transaction.offerName)
    if let amount, amount.currency == row.price?.amount.currency, row.conversion != .none {
      convertedMicros = row.conversion.of(amount.micros).known.map { Int64(clamping: $0) }
    }
  }
}
