import AppStore
import Subscriptions

/// What an answer of the Server API means: by its error code instead of verifyReceipt's status.
extension ResponseClassification {
  mutating func judge(_ answer: HTTPAnswer, to questions: CustomerQuestions, in context: OutcomeContext) {
    switch answer.status {
    case 200:
      let step = questions.take(
        answer.body, holding: answer.held, in: context.asked, knownBy: context.chains)
      take(step)
    case 401: outcome = Self.refused(answer, questions, context)
    default:
      guard let error = ServerAPIError(decoding: answer.body) else {
        outcome = .failed(
          FailedAttempt(.passing, "HTTP \(answer.status)", retryAfter: Self.retryAfter(answer, questions.key))
        )
        return
      }
      status = error.code
      take(error, retryAfter: Self.retryAfter(answer, questions.key), questions, context)
    }
  }

  private mutating func take(_ step: CustomerQuestions.Step) {
    switch step {
    case .more(let next): self.next(next)
    case .done(let history, let leftOut, let held):
      (outcome, status, self.leftOut, self.held) = (.history(history), 0, leftOut, held)
    case .failed(let failing): outcome = .failed(failing)
    }
  }

  private mutating func take(
    _ error: ServerAPIError, retryAfter: Int?, _ questions: CustomerQuestions, _ context: OutcomeContext
  ) {
    let words = "\(error)"
    switch error.meaning {
    case .elsewhere where !context.isRerouted:
      outcome = .elsewhere(context.asked == .sandbox ? .production : .sandbox)
    case .elsewhere:
      outcome = .failed(FailedAttempt(.verdict, "\(words), neither in production nor in the sandbox"))
    case .accountGone: outcome = .failed(FailedAttempt(.gone, words))
    case .unknownID: outcome = .failed(FailedAttempt(.verdict, words))
    case .staleToken where questions.mayRestart: next(questions.restarted(withoutRevision: true))
    case .staleToken, .tooEarly, .puzzling: outcome = .failed(FailedAttempt(.puzzling, words))
    case .retry: outcome = .failed(FailedAttempt(.passing, words, retryAfter: retryAfter))
    }
  }

  /// An app without a release is refused in production and not in the sandbox, so that both are asked.
  private static func refused(
    _ answer: HTTPAnswer, _ questions: CustomerQuestions, _ context: OutcomeContext
  ) -> Outcome {
    questions.key.forgetToken(for: questions.app)
    if context.asked != .sandbox, !context.isRerouted { return .elsewhere(.sandbox) }
    return .keyRefused(clockAhead: answer.date.map(questions.key.ahead))
  }

  /// Seconds that Apple wants to be left alone.
  private static func retryAfter(_ answer: HTTPAnswer, _ key: ServerAPIKey) -> Int? {
    key.wait(for: answer).map { Int(($0 + Milliseconds.second - 1) / Milliseconds.second) }
  }
}
