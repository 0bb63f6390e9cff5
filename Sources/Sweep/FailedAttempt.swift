package struct FailedAttempt: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Temporary failure of Apple or the network.
    case passing
    /// The answer makes no sense for this receipt. The App Store as a whole may be fine.
    case puzzling
    /// The answer contains purchases, but none is known to belong to the receipt.
    case unproven
    /// The answer has no trusted signature.
    case untrusted
    /// The answer is correctly signed but cannot be used.
    case unusable
    case otherApp
    case tooLong
    /// 21002: either the receipt is malformed or Apple has a failure. Only further attempts distinguish them.
    case malformed
    /// Asking again is useless, provided that the answer is right.
    case verdict
    /// 21010: the account is gone, provided that the answer is right.
    case gone
  }

  package var kind: Kind
  /// Message for the user. It is the same for the same failure, so that repetitions are recognized.
  package var reason: String
  /// Seconds requested by the server.
  package var retryAfter: Int?

  /// Whether the same request could be answered differently within the sweep.
  package var isWorthAnotherTry: Bool { kind != .tooLong && kind != .unusable }

  package init(_ kind: Kind, _ reason: String, retryAfter: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter
  }
}
