import AppStore
import Subscriptions

/// Sequence of requests about one customer, history pages and then statuses, with the data received so far.
struct CustomerQuestions: Sendable {
  let customer: CustomerID
  let app: BundleID
  let key: ServerAPIKey
  let verifier: SignatureVerifier
  /// Revision in the store; the history before this revision is not requested again.
  private let known: String?
  private(set) var call: ServerAPICall
  private var rows = CustomerRows()
  /// Revision of the last page that had rows, or the revision in the store.
  private var revision: String?
  private var pages = 0
  /// Whether only the history after the stored revision is requested.
  private(set) var isPartial: Bool
  private var size = 0

  /// Maximum number of history pages, with 20 rows each, far above any real history.
  static let mostPages = 2000

  init(
    _ customer: CustomerID, of app: BundleID, from revision: String?, key: ServerAPIKey,
    verifier: SignatureVerifier
  ) {
    (self.customer, self.app, self.key, self.verifier) = (customer, app, key, verifier)
    known = revision
    self.revision = revision
    call = .history(revision: revision)
    isPartial = revision != nil
  }

  /// Returns a copy that starts again, without a revision if `withoutRevision`, otherwise as the first time.
  func restarted(withoutRevision: Bool) -> Self {
    Self(customer, of: app, from: withoutRevision || !isPartial ? nil : known, key: key, verifier: verifier)
  }

  var isSigned: Bool { rows.count > 0 }

  /// Whether a restart without a revision would begin with a different request from the one that failed.
  var mayRestart: Bool { isPartial || pages > 0 }

  enum Step {
    case more(CustomerQuestions)
    case done(CustomerHistory, leftOut: Int, size: Int)
    case failed(FailedAttempt)
  }

  func take(
    _ body: [UInt8], in environment: StoreEnvironment, knownBy chains: Set<OriginalTransactionID>
  ) -> Step {
    var next = self
    do {
      switch call {
      case .history:
        let page = try HistoryPage(decoding: body)
        try next.rows.take(page.transactions, verifiedBy: verifier)
        next.pages += 1
        if page.hasMore {
          guard let revision = page.revision, revision != self.revision, next.pages < Self.mostPages else {
            return .failed(
              FailedAttempt(.puzzling, "the history is incomplete: its next page is missing or repeated"))
          }
          next.call = .history(revision: revision)
        } else {
          next.call = .statuses
        }
        // The revision of a page without rows is not kept, because later requests with it would skip rows.
        if !page.transactions.isEmpty { next.revision = page.revision ?? revision }
      case .statuses:
        let statuses = try SubscriptionStatuses(decoding: body)
        try next.rows.take(statuses.transactions + statuses.renewalInfos, verifiedBy: verifier)
      }
    } catch let problem as SignedDataProblem {
      return .failed(
        FailedAttempt(
          problem.isOfUntrustedSigner ? .untrusted : .unusable, "signed data was refused: \(problem)"))
    } catch let error as UnreadableAnswer {
      return .failed(FailedAttempt(.passing, "unreadable answer: \(error)"))
    } catch {
      return .failed(FailedAttempt(.passing, "unreadable answer"))
    }
    if let problem = next.rows.problem(for: app, in: environment) {
      return .failed(
        FailedAttempt(problem.isOfOtherApp ? .otherApp : .unusable, "signed data was refused: \(problem)"))
    }
    next.size += body.count
    guard case .statuses = call else { return .more(next) }
    let (history, leftOut) = next.rows.history(
      of: customer, knownBy: chains, in: environment, revision: next.revision)
    // The omitted chains may be new. Only the complete history shows the customer that they belong to.
    if isPartial, leftOut > 0 || (history.answer.namedChains.isEmpty && next.rows.count > 0) {
      return .more(restarted(withoutRevision: true))
    }
    if history.answer.namedChains.isEmpty {
      if next.rows.count > 0 {
        return .failed(
          FailedAttempt(.unproven, "the answer is about another customer: none of its purchases is theirs"))
      }
      if !isPartial, !chains.isEmpty {
        return .failed(FailedAttempt(.unproven, "the answer contains none of the customer's purchases"))
      }
    }
    return .done(history, leftOut: leftOut, size: next.size)
  }
}
