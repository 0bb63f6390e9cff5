import Subscriptions

struct ReceiptCheck {
  var status: Int
  var observedAt: Instant
  /// `nil` if the answer was not full.
  var fullAnswerAt: Instant?
  var due = DuePolicy.Due(at: .distantFuture, rule: .noLines)
  var other = Other.forget

  /// Update of the last answer of the other kind (full or partial).
  enum Other {
    case keep
    /// The previous digest becomes `other`.
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
