import Subscriptions

/// What every answer tells of the receipt itself.
struct ReceiptCheck {
  var status: Int
  var observedAt: Instant
  /// Nil where it was not a full answer.
  var fullAnswerAt: Instant?
  var due = DuePolicy.Due(at: .distantFuture, rule: .noLines)
  var other = Other.forget

  /// What becomes of the last answer of the other kind.
  enum Other {
    case keep
    /// The one that was the last becomes it.
    case change
    case forget

    var assignments: String {
      switch self {
      case .keep: ""
      case .change: "other_digest = answer_digest, other_validated_at_ms = last_validated_at_ms,"
      case .forget: "other_digest = NULL, other_validated_at_ms = NULL,"
      }
    }
  }
}
