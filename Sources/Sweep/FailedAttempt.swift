/// A try that brought nothing.
package struct FailedAttempt: Hashable, Sendable {
  /// What such a failure is worth believing.
  package enum Kind: Hashable, Sendable {
    /// Apple's trouble, or that of the way there: it passes.
    case passing
    /// This answer made no sense for this receipt; the App Store as a whole may be well.
    case puzzling
    /// It holds purchases, and none of them is known to be the receipt's.
    case unproven
    /// Nobody trusted has signed it.
    case untrusted
    /// It was signed as it should be, and cannot be used.
    case unusable
    /// It is of another app than was asked about.
    case otherApp
    /// It is longer than anything that is taken.
    case tooLong
    /// 21002: malformed, or Apple's trouble; only trying again tells.
    case malformed
    /// Asking again will not help, if it is true.
    case verdict
    /// 21010: the account is gone, if it is true.
    case gone
  }

  package var kind: Kind
  /// For a person; the same for the same failure, which is how a repetition is noticed.
  package var reason: String
  /// Seconds that the other side asked for.
  package var retryAfter: Int?

  /// Whether the same question could have another answer within the sweep.
  package var isWorthAnotherTry: Bool { kind != .tooLong && kind != .unusable }

  package init(_ kind: Kind, _ reason: String, retryAfter: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter
  }
}
