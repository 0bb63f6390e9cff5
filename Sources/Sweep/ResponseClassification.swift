import AppStore
import Subscriptions

/// Outcome of one transfer, with values for the counts of a sweep.
package struct ResponseClassification: Sendable {
  package private(set) var outcome: Outcome
  package private(set) var status: Int?
  package private(set) var http: Int?
  package private(set) var latency: Int64?
  package private(set) var transport: TransportError?
  /// Number of chains in the answer that are left out because no evidence links them to the receipt.
  package private(set) var leftOut = 0
  /// Next request to the Server API; `nil` unless the outcome is `unfinished`.
  private(set) var questions: CustomerQuestions?
  /// Bytes of the answers behind an outcome with data; otherwise 0.
  private(set) var size = 0

  mutating func next(_ questions: CustomerQuestions) { (outcome, self.questions) = (.unfinished, questions) }

  package init(_ result: TransferResult, in context: OutcomeContext) {
    switch result {
    case .failed(let error):
      outcome = .failed(
        error.phase == .tooLarge
          ? Self.tooLong(error.description) : FailedAttempt(.passing, error.description))
      transport = error
    case .answered(let answer):
      outcome = .failed(FailedAttempt(.passing, "HTTP \(answer.status)", retryAfter: answer.retryAfter))
      (http, latency) = (answer.status, answer.latency)
      if let questions = context.questions {
        judge(answer, to: questions, in: context)
      } else if answer.status == 200 {
        judge(answer, in: context)
      }
    }
  }

  private mutating func judge(_ answer: HTTPAnswer, in context: OutcomeContext) {
    do throws(UnreadableAnswer) {
      let response = try VerifyReceiptResponse(decoding: answer.body, from: context.asked)
      status = response.status.rawValue
      outcome = Self.outcome(of: response, in: context, retryAfter: answer.retryAfter)
      if case .answer(let own) = outcome {
        size = answer.body.count
        leftOut = response.answer.map { Self.leftOut(of: $0, own) } ?? 0
      }
    } catch {
      outcome = .failed(
        error.isTooLong
          ? Self.tooLong("\(error)")
          : FailedAttempt(.passing, "unreadable answer: \(error)", retryAfter: answer.retryAfter))
    }
  }

  private static func tooLong(_ error: String) -> FailedAttempt {
    FailedAttempt(.tooLong, "the answer exceeds the size limit: \(error)")
  }

  private static func leftOut(of answer: Answer, _ own: Answer) -> Int {
    let isWhole =
      own.transactions.count == answer.transactions.count
      && own.renewalInfos.count == answer.renewalInfos.count
    return isWhole ? 0 : answer.namedChains.count - own.namedChains.count
  }

  private static func outcome(
    of response: VerifyReceiptResponse, in context: OutcomeContext, retryAfter: Int?
  ) -> Outcome {
    let words = "\(response.status.rawValue): \(response.status.text)"
    return switch response.meaning {
    case .data: checked(response.answer, in: context)
    case .secretRefused: .secretRefused
    case .accountGone: .failed(FailedAttempt(.gone, words))
    // 21000 means an error in this program, and an undocumented status has no known meaning.
    case .rejected where !isVerdict(response.status): .failed(FailedAttempt(.puzzling, words))
    // The text differs from that of a retryable rejection, so that the two do not count as the same failure.
    case .rejected where response.isRetryable == false:
      .failed(FailedAttempt(.verdict, "\(words), not retryable"))
    case .rejected: .failed(FailedAttempt(.verdict, words))
    case .retry: .failed(FailedAttempt(.passing, words, retryAfter: retryAfter))
    case .malformedOrPassing: .failed(FailedAttempt(.malformed, words))
    // During outages the sandbox itself has answered 21007, so only one redirect is followed.
    case .elsewhere(let other) where context.isRerouted || other == context.asked:
      .failed(FailedAttempt(.puzzling, "\(words), but the other environment redirects back"))
    case .elsewhere(let other): .elsewhere(other)
    }
  }

  private static func isVerdict(_ status: VerifyReceiptStatus) -> Bool {
    status.rawValue == 21003 || (21100...21199).contains(status.rawValue)
  }

  private static func checked(_ answer: Answer?, in context: OutcomeContext) -> Outcome {
    guard let answer, answer.bundleID != nil || !answer.transactions.isEmpty else {
      return .failed(FailedAttempt(.puzzling, "the answer contains no receipt"))
    }
    guard answer.environment == context.asked else {
      let (actual, asked) = (answer.environment.rawValue, context.asked.rawValue)
      return .failed(FailedAttempt(.puzzling, "the answer is from \(actual), but \(asked) was asked"))
    }
    if let found = answer.bundleID, let mismatch = mismatch(of: found, in: context) {
      // If the receipt itself names the answer's app, the receipt was imported for the wrong app.
      let itself = context.receipt.flatMap(ReceiptContents.init)?.bundleID
      return .failed(FailedAttempt(itself == found ? .verdict : .puzzling, mismatch))
    }
    var evidence = AnswerEvidence(context)
    let own = evidence.own(of: answer)
    if let reason = evidence.objection(to: answer, of: own) {
      return .failed(FailedAttempt(.unproven, reason))
    }
    return .answer(own)
  }

  private static func mismatch(of found: BundleID, in context: OutcomeContext) -> String? {
    if let app = context.app {
      return found == app ? nil : "the answer is for \(found), the receipt for \(app)"
    }
    guard let ours = context.ourApps, !ours.contains(found) else { return nil }
    return "the answer is for \(found), which is not a configured app"
  }
}

extension ResponseClassification {
  mutating func judge(_ answer: HTTPAnswer, to questions: CustomerQuestions, in context: OutcomeContext) {
    switch answer.status {
    case 200:
      take(questions.take(answer.body, in: context.asked, knownBy: context.chains))
    case 401: outcome = Self.refused(answer, questions, context)
    default:
      guard let error = ServerAPIError(decoding: answer.body) else { return }
      status = error.code
      take(error, retryAfter: answer.retryAfter, questions, context)
    }
  }

  private mutating func take(_ step: CustomerQuestions.Step) {
    switch step {
    case .more(let next): self.next(next)
    case .done(let history, let leftOut, let size):
      (outcome, status, self.leftOut, self.size) = (.history(history), 0, leftOut, size)
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
      outcome = .failed(FailedAttempt(.verdict, "\(words), in neither production nor the sandbox"))
    case .accountGone: outcome = .failed(FailedAttempt(.gone, words))
    case .unknownID: outcome = .failed(FailedAttempt(.verdict, words))
    case .staleToken where questions.mayRestart: next(questions.restarted(withoutRevision: true))
    case .staleToken, .tooEarly, .puzzling: outcome = .failed(FailedAttempt(.puzzling, words))
    case .retry: outcome = .failed(FailedAttempt(.passing, words, retryAfter: retryAfter))
    }
  }

  /// Discards the refused token (401); the sandbox is next, because production also refuses unreleased apps.
  private static func refused(
    _ answer: HTTPAnswer, _ questions: CustomerQuestions, _ context: OutcomeContext
  ) -> Outcome {
    questions.key.forgetToken(for: questions.app)
    if context.asked != .sandbox, !context.isRerouted { return .elsewhere(.sandbox) }
    return .keyRefused(clockAhead: answer.date.map(questions.key.ahead))
  }
}

/// Outcome of one transfer for a receipt, derived from Apple's status (METRICS §1.6).
package enum Outcome: Hashable, Sendable {
  /// The answer carried data and passed its checks.
  case answer(Answer)
  case failed(FailedAttempt)
  /// The receipt may belong to this environment, which this attempt has not tried yet.
  case elsewhere(StoreEnvironment)
  /// 21004: the shared secret is wrong, which concerns the configuration, not the receipt.
  case secretRefused
  /// 401: the Server API key is refused; `clockAhead` is this machine's clock minus Apple's in milliseconds,
  /// or `nil` if Apple sent no time.
  case keyRefused(clockAhead: Int64?)
  /// More requests to the Server API are needed; `ResponseClassification.questions` has the next one.
  case unfinished
  /// Checked history of a customer from the Server API: all of it, or the part after the stored revision.
  case history(CustomerHistory)
}
