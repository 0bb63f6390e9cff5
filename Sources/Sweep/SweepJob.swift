import ReceiptStore
import Subscriptions

/// One receipt or customer on its way through a sweep. It holds the receipt and the secret, so a job never describes itself.
struct SweepJob: Sendable, CustomStringConvertible, CustomReflectable {
  let receipt: ReceiptID
  /// Which breaker it belongs to; nil where the app is not known yet.
  let app: BundleID?
  /// Nil where the Server API is asked.
  private let secret: SharedSecret?
  /// What its contents take of the budget for receipts.
  private var held: HeldBytes?
  /// Of verifyReceipt, whether only the newest renewal of each subscription is asked for.
  private let excludesOld: Bool
  private(set) var context: OutcomeContext
  private(set) var history: FailureHistory
  /// Tries for it in this sweep, the present one included; a hop to the other environment is not one more.
  private(set) var tries = 1
  /// Whether it was sent on to the other environment at any of them.
  private(set) var hasMoved = false
  /// Whether the newer receipt that was sent first was refused, so that the one that was imported is asked about.
  private(set) var isLatestRefused = false

  /// What it is asked with.
  enum Way {
    case receipt(SharedSecret)
    case serverAPI(CustomerQuestions)
    case nothing
  }

  /// - Parameter app: whose receipt it is, as it was imported or as it says itself.
  init(
    _ due: DueReceipt, of app: BundleID?, by way: Way, options: SweepOptions, at now: Instant,
    in budget: ByteBudget
  ) {
    receipt = due.id
    held = HeldBytes(of: budget)
    _ = held?.grow(to: due.size)
    self.app = app
    // Production first, whatever the receipt looks like; only an answer has told where it belongs.
    context = OutcomeContext(asked: due.environment == .sandbox ? .sandbox : .production)
    context.app = app
    context.ourApps = options.ourApps
    context.chains = due.originalTransactionIDs
    switch way {
    case .receipt(let secret):
      self.secret = secret
      excludesOld = options.mayLeaveOutOld(due, at: now)
      context.receipt = due.data
      context.latest = due.latest
    case .serverAPI(let questions):
      (secret, excludesOld) = (nil, false)
      context.questions = questions
    case .nothing: (secret, excludesOld) = (nil, false)
    }
    history = FailureHistory()
    history.failures = due.attempts
    history.since = due.failingSince
    history.lastReason = due.lastFailure
    history.sameSince = due.sameFailureSince
    history.wasValidated = due.environment != nil
  }

  /// Whether what the answer leaves out is not known to be gone.
  var isPartial: Bool { context.questions?.isPartial ?? excludesOld }

  /// What is to be sent, with the secret: it is written when the transfer begins. Nil if no token can be
  /// signed.
  func transfer(_ options: SweepOptions) -> Transfer? {
    if let questions = context.questions {
      return questions.key.token(for: questions.app).map { token in
        Transfer(
          to: options.serverAPI(of: context.asked), path: questions.call.path(of: questions.customer),
          token: token)
      }
    }
    return secret.flatMap { secret in
      try? secret.question(
        about: (context.latest ?? context.receipt)?.base64 ?? "", excludingOldTransactions: excludesOld)
    }.map { Transfer(to: options.endpoint(of: context.asked), body: $0) }
  }

  /// What Apple counts its next request by; nil where nothing is known to be counted.
  var limited: RequestLimits.Subject? {
    context.questions.map {
      RequestLimits.Subject(app: $0.app, kind: $0.call.kind, environment: context.asked)
    }
  }

  /// The same for the other environment, where a history has no revision yet.
  func rerouted(to environment: StoreEnvironment) -> Self {
    var job = self
    job.context.asked = environment
    job.context.isRerouted = true
    job.context.questions = context.questions?.restarted(withoutRevision: true)
    job.hasMoved = true
    return job
  }

  /// The same with what comes after a part of the whole.
  func continued(with questions: CustomerQuestions) -> Self {
    var job = self
    job.context.questions = questions
    return job
  }

  /// The receipt as it was imported, where a newer one was sent and the outcome refuses that: nothing of it counts against
  /// the receipt, since the newer one came over the wire.
  func original(after outcome: Outcome) -> Self? {
    guard context.latest != nil else { return nil }
    switch outcome {
    case .answer, .secretRefused, .keyRefused, .unfinished, .history: return nil
    case .failed(let failing) where failing.kind == .passing: return nil
    case .failed, .elsewhere: break
    }
    var job = self
    job.context.latest = nil
    job.isLatestRefused = true
    return job
  }

  /// The same receipt once more within the sweep, as it was imported, from the start: a hop may have been a mistake as well, and pages
  /// that came before a failure may not fit to those after it.
  func again(after failing: FailedAttempt, at now: Instant) -> Self {
    var job = self
    job.context.latest = nil
    job.tries += 1
    job.context.questions = context.questions?.restarted(withoutRevision: context.isRerouted)
    if context.isRerouted {
      job.context.asked = context.asked == .sandbox ? .production : .sandbox
      job.context.isRerouted = false
    }
    if history.lastReason != failing.reason { job.history.sameSince = now }
    job.history.lastReason = failing.reason
    return job
  }

  /// What is left of a receipt that nobody will be asked about again in this sweep: who waits for a commit waits without
  /// its contents, which are most of it.
  var spent: Self {
    var job = self
    job.context.receipt = nil
    job.context.latest = nil
    job.context.questions = context.questions?.spent
    job.held = nil
    return job
  }

  var description: String { "receipt \(receipt) for \(context.asked.rawValue)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension SweepOptions {
  /// `exclude-old-transactions` hides refunds of older periods and rows upgraded away, so it is for receipts whose
  /// history is known whole and was not long ago.
  func mayLeaveOutOld(_ due: DueReceipt, at now: Instant) -> Bool {
    guard let full = due.lastFullAnswer, !due.originalTransactionIDs.isEmpty else { return false }
    let age = now - full
    // Weekly checks come a little early, for jitter: the one in the seventh day has to be full.
    return age >= 0 && age < fullAnswerEvery - fullAnswerEvery / 7
  }
}
