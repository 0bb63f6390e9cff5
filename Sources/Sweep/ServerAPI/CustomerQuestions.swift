import AppStore
import Subscriptions

/// The questions about one customer, one after the other: the history page by page, and the statuses; with what has come back so far.
struct CustomerQuestions: Sendable {
  let customer: CustomerID
  let app: BundleID
  let key: ServerAPIKey
  let verifier: SignatureVerifier
  /// What the store knew: the history before it is not asked for again.
  private let known: String?
  /// What comes next.
  private(set) var call: ServerAPICall
  private var rows = CustomerRows()
  /// What the last page with rows gave, or the store knew.
  private var revision: String?
  private var pages = 0
  /// Whether the history is asked for from the store's revision on.
  private(set) var isPartial: Bool
  /// What has come back takes of the budget for answers.
  private var held: [HeldBytes] = []

  /// Pages of 20 rows: more than anybody has bought.
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

  /// From the start. A revision that is not taken, or is another environment's, is left out.
  func restarted(withoutRevision: Bool) -> Self {
    Self(
      customer, of: app, from: withoutRevision || !isPartial ? nil : known, key: key, verifier: verifier)
  }

  /// Without what has come back, which waits for its commit elsewhere.
  var spent: Self {
    var spent = self
    (spent.rows, spent.held) = (CustomerRows(), [])
    return spent
  }

  /// Whether anything came that was signed by whom it should be.
  var isSigned: Bool { rows.count > 0 }

  /// Whether the history could still be asked for from its beginning.
  var mayRestart: Bool { isPartial || pages > 0 }

  /// How an answer with data goes on.
  enum Step {
    case more(CustomerQuestions)
    case done(CustomerHistory, leftOut: Int, holding: [HeldBytes])
    case failed(FailedAttempt)
  }

  /// - Parameters:
  ///   - environment: the one that was asked.
  ///   - chains: those that are known to be the customer's.
  func take(
    _ body: [UInt8], holding bytes: HeldBytes?, in environment: StoreEnvironment,
    knownBy chains: Set<OriginalTransactionID>
  ) -> Step {
    var next = self
    do {
      switch call {
      case .history:
        let page = try HistoryPage(decoding: body)
        try next.rows.take(page.transactions, verifiedBy: verifier)
        next.pages += 1
        if page.hasMore {
          guard let revision = page.revision, revision != self.revision, pages < Self.mostPages else {
            return .failed(
              FailedAttempt(.puzzling, "the history has no end: a page that is not the last leads nowhere"))
          }
          next.call = .history(revision: revision)
        } else {
          next.call = .statuses
        }
        // A page without rows moves nothing: what it left out would never be asked for again.
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
    if let bytes { next.held.append(bytes) }
    guard case .statuses = call else { return .more(next) }
    let (history, leftOut) = next.rows.history(
      of: customer, knownBy: chains, in: environment, revision: next.revision)
    // What is new may be all that there is, and only the whole history shows whose it is.
    if isPartial, leftOut > 0 || (history.answer.namedChains.isEmpty && next.rows.count > 0) {
      return .more(restarted(withoutRevision: true))
    }
    if history.answer.namedChains.isEmpty {
      if next.rows.count > 0 {
        return .failed(
          FailedAttempt(.unproven, "the answer is about another customer: none of its purchases is theirs"))
      }
      if !isPartial, !chains.isEmpty {
        return .failed(FailedAttempt(.unproven, "the answer holds none of the customer's purchases"))
      }
    }
    return .done(history, leftOut: leftOut, holding: next.held)
  }
}
