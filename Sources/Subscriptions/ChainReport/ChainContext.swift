/// What a chain's report needs besides the chain.
public struct ChainContext: Sendable {
  public var receipts: [ReceiptEntry] = []
  public var catalog: Catalog
  public var program = SmallBusinessProgram.none
  /// The transaction with which the line's users used up the introductory offer of its group, if any.
  public var introOfferUsedBy: @Sendable (LineID) -> TransactionID? = { _ in nil }

  public init(catalog: Catalog) { self.catalog = catalog }
}
