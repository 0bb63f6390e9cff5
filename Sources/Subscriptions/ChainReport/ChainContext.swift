/// Data that a chain's report needs in addition to the chain.
public struct ChainContext: Sendable {
  public var receipts: [ReceiptEntry] = []
  public var catalog: Catalog
  public var program = SmallBusinessProgram.none
  /// Transaction that used up a line's introductory offer, for any of its users.
  public var introOfferUsedBy: @Sendable (LineID) -> TransactionID? = { _ in nil }

  public init(catalog: Catalog) { self.catalog = catalog }
}
