/// Receipt that contains the chain.
public struct ReceiptEntry: Hashable, Sendable, Encodable {
  public var id: ReceiptID
  @ExplicitNull public var environment: StoreEnvironment? = nil
  @ExplicitNull public var bundleId: BundleID? = nil
  @ExplicitNull public var lastValidatedAtMs: Instant? = nil
  @ExplicitNull public var lastStatus: Int? = nil
  @ExplicitNull public var nextDueAtMs: Instant? = nil
  @ExplicitNull public var neverDueBecause: String? = nil

  /// Reason why a receipt is never due: neither its contents nor a customer id is known.
  public static let nothingToAskWith = "nothing to ask with"

  public init(
    id: ReceiptID, environment: StoreEnvironment?, bundleId: BundleID?, lastValidatedAtMs: Instant?,
    lastStatus: Int?, nextDueAtMs: Instant?, neverDueBecause: String? = nil
  ) {
    (self.id, self.environment, self.bundleId) = (id, environment, bundleId)
    (self.lastValidatedAtMs, self.lastStatus) = (lastValidatedAtMs, lastStatus)
    (self.nextDueAtMs, self.neverDueBecause) = (nextDueAtMs, neverDueBecause)
  }
}
