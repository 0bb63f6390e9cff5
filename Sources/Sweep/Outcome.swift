import AppStore
import Subscriptions

/// What becomes of a receipt after one transfer: METRICS §1.6 and Apple's status, put into what a sweep does.
package enum Outcome: Hashable, Sendable {
  case found(Finding)
  /// The receipt belongs to this environment, which has not been asked yet.
  case elsewhere(StoreEnvironment)
  /// 21004 is about the configuration, so it ends the sweep and says nothing of the receipt.
  case secretRefused
}

/// What a sweep has to record of a receipt.
package enum Finding: Hashable, Sendable {
  /// The answer carried data and passed its checks.
  case answer(Answer)
  /// 21010: keep the history, stop asking.
  case accountGone
  /// Asking again will not help.
  case rejected(String)
  /// Nothing was learned; the receipt stays as it is. The seconds are those of a `Retry-After`.
  case later(String, retryAfter: Int?)
}

/// What is known of a receipt when its answer is judged.
package struct OutcomeContext: Sendable {
  /// Where the receipt was sent.
  package var asked: StoreEnvironment
  /// Whether the other environment had sent it here.
  package var isRerouted = false
  /// The app that the receipt was handed over for.
  package var app: BundleID?
  /// Failures in succession before this one.
  package var failures = 0
  /// Whether an earlier answer to this receipt carried data.
  package var wasValidated = false

  /// How often 21002 may come in succession before it is believed that the receipt is malformed.
  package static let patience = 5

  package init(asked: StoreEnvironment) { self.asked = asked }
}

/// One transfer's result with what it adds to the counts.
package struct Judgement: Sendable {
  package private(set) var outcome: Outcome
  package private(set) var status: Int?
  package private(set) var http: Int?
  /// Set where there was no answer.
  package private(set) var transport: TransportError?

  package init(_ result: TransferResult, in context: OutcomeContext) {
    switch result {
    case .failed(let error):
      outcome = .found(.later(error.description, retryAfter: nil))
      transport = error
    case .answered(let answer) where answer.status != 200:
      outcome = .found(.later("HTTP \(answer.status)", retryAfter: answer.retryAfter))
      http = answer.status
    case .answered(let answer):
      http = answer.status
      do throws(UnreadableAnswer) {
        let response = try VerifyReceiptResponse(decoding: answer.body, from: context.asked)
        status = response.status.rawValue
        outcome = Self.outcome(of: response, in: context)
      } catch {
        outcome = .found(.later("unreadable answer: \(error)", retryAfter: answer.retryAfter))
      }
    }
  }

  private static func outcome(of response: VerifyReceiptResponse, in context: OutcomeContext) -> Outcome {
    let words = "\(response.status.rawValue): \(response.status.text)"
    return switch response.meaning {
    case .data: .found(checked(response.answer, in: context))
    case .secretRefused: .secretRefused
    case .accountGone: .found(.accountGone)
    // 21000 is a fault of ours, and a status that Apple does not document tells nothing: neither ends a receipt.
    case .rejected where !isVerdict(response.status): .found(.later(words, retryAfter: nil))
    case .rejected: .found(.rejected(words))
    case .retry: .found(.later(words, retryAfter: nil))
    case .malformedOrPassing: .found(malformedOrPassing(words, in: context))
    // In outages the sandbox itself has answered 21007: one hop, and no second.
    case .elsewhere(let other) where context.isRerouted || other == context.asked:
      .found(.later("\(words), and the other environment sends it back", retryAfter: nil))
    case .elsewhere(let other): .elsewhere(other)
    }
  }

  private static func isVerdict(_ status: VerifyReceiptStatus) -> Bool {
    status.rawValue == 21003 || (21100...21199).contains(status.rawValue)
  }

  private static func checked(_ answer: Answer?, in context: OutcomeContext) -> Finding {
    guard let answer, answer.bundleID != nil || !answer.transactions.isEmpty else {
      return .later("the answer holds no receipt", retryAfter: nil)
    }
    if let app = context.app, let found = answer.bundleID, found != app {
      return .rejected("the answer is for \(found), the receipt for \(app)")
    }
    return .answer(answer)
  }

  /// A receipt that was valid once has not become malformed: then 21002 is Apple's trouble, however often it comes.
  private static func malformedOrPassing(_ words: String, in context: OutcomeContext) -> Finding {
    let isBelieved = !context.wasValidated && context.failures + 1 >= OutcomeContext.patience
    return isBelieved ? .rejected(words) : .later(words, retryAfter: nil)
  }
}
