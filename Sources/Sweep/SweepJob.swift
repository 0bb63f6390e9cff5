import AppStore
import ReceiptStore
import Subscriptions

/// A receipt or customer in a sweep. It holds the receipt and the secret, so descriptions omit its content.
struct SweepJob: Sendable, CustomStringConvertible, CustomReflectable {
  let receipt: ReceiptID
  /// App whose breaker applies; `nil` if it is unknown.
  let app: BundleID?
  /// `nil` if verifyReceipt is not used.
  private let secret: SharedSecret?
  private var held: HeldBytes?
  /// Whether verifyReceipt is asked only for the newest renewal of each subscription.
  private let excludesOld: Bool
  private(set) var context: OutcomeContext
  private(set) var history: FailureHistory
  /// Attempts in this sweep, including the current one. A redirect to the other environment does not count.
  private(set) var tries = 1
  /// Whether any attempt was redirected to the other environment.
  private(set) var hasMoved = false
  /// Whether the newer receipt, sent first, was refused, so that the imported one is asked about.
  private(set) var isLatestRefused = false

  enum Way {
    case receipt(SharedSecret)
    case serverAPI(CustomerQuestions)
    case nothing
  }

  /// - Parameter app: app of the receipt, as imported or as named in the receipt itself.
  init(
    _ due: DueReceipt, of app: BundleID?, by way: Way, options: SweepOptions, at now: Instant,
    in budget: ByteBudget
  ) {
    receipt = due.id
    held = HeldBytes(of: budget)
    _ = held?.grow(to: due.size)
    self.app = app
    // Production is asked first unless an earlier answer came from the sandbox.
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

  /// Whether purchases missing from the answer may still exist.
  var isPartial: Bool { context.questions?.isPartial ?? excludesOld }

  /// Returns the request, or `nil` if no token can be signed or the body cannot be encoded. It contains the
  /// secret, so it is built only when the transfer begins.
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

  /// Subject of Apple's rate limit for the next request; `nil` if no limit is known.
  var limited: RequestLimits.Subject? {
    context.questions.map {
      RequestLimits.Subject(app: $0.app, kind: $0.call.kind, environment: context.asked)
    }
  }

  /// Returns a copy for the other environment. A history starts without a revision there.
  func rerouted(to environment: StoreEnvironment) -> Self {
    var job = self
    job.context.asked = environment
    job.context.isRerouted = true
    job.context.questions = context.questions?.restarted(withoutRevision: true)
    job.hasMoved = true
    return job
  }

  func continued(with questions: CustomerQuestions) -> Self {
    var job = self
    job.context.questions = questions
    return job
  }

  /// Returns a copy for the receipt as imported if a newer one was sent and refused, otherwise `nil`. The
  /// refusal does not count against the receipt, because the newer one came over the network.
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

  /// Returns a copy for another attempt in the sweep, with the receipt as imported and from the start. A
  /// redirect may have been a mistake too, and pages from before a failure may not fit those after it.
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

  /// Copy without the contents, most of its size, for a receipt that only waits for its commit.
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
  /// Whether `exclude-old-transactions` may be set. It hides refunds of older periods and upgraded rows, so a
  /// recent answer with the whole history is required.
  func mayLeaveOutOld(_ due: DueReceipt, at now: Instant) -> Bool {
    guard let full = due.lastFullAnswer, !due.originalTransactionIDs.isEmpty else { return false }
    let age = now - full
    // Weekly checks are a little early because of jitter; the one on the seventh day has to be full.
    return age >= 0 && age < fullAnswerEvery - fullAnswerEvery / 7
  }
}

/// Decides how to ask about a receipt or customer that is due, based on its contents and the configuration.
struct DueQuestion {
  enum Way {
    case ask(SweepJob.Way)
    /// Stop all requests of the app.
    case stop(StoppedApp.Reason)
    /// There is no way to ask about this receipt. Others of its app are not affected.
    case nothing
    /// Leave it due until a key is configured. Other receipts of its app are asked about.
    case wait
  }

  let app: BundleID?
  let way: Way

  static let nothingToAskWith = FailedAttempt(
    .verdict,
    "the receipt holds no transaction id to ask the Server API with, and there is no shared secret to ask verifyReceipt with"
  )

  init(_ due: DueReceipt, secrets: SharedSecrets, serverAPI: ServerAPIAccess?, ours: Set<BundleID>?) {
    var contents: ReceiptContents?? = nil
    func read() -> ReceiptContents? {
      if contents == nil { contents = .some(due.data.flatMap(ReceiptContents.init)) }
      return contents ?? nil
    }
    // A receipt is sent only with the secret of its own app, which the receipt itself may name.
    let app = due.bundleID ?? read()?.bundleID
    if let ours, let app, !ours.contains(app) {
      (self.app, way) = (app, .stop(.notOurs))
      return
    }
    func receipt(else reason: StoppedApp.Reason) -> Way {
      secrets.secret(for: app).map { .ask(.receipt($0)) } ?? .stop(reason)
    }
    switch serverAPI?.way(for: app) ?? .receipts {
    case .key(let key, let keyApp, let mayUseReceipts):
      self.app = app ?? keyApp
      if let verifier = serverAPI?.verifier, let customer = due.customer ?? read()?.customerID {
        way = .ask(
          .serverAPI(
            CustomerQuestions(customer, of: keyApp, from: due.revision, key: key, verifier: verifier)))
      } else if mayUseReceipts, due.data != nil, let secret = secrets.secret(for: app) {
        way = .ask(.receipt(secret))
      } else {
        way = .nothing
      }
    case .receipts where due.data == nil:
      // The entry came from a notification or an id, which is no reason to stop the app's receipts.
      (self.app, way) = (app, secrets.secret(for: app) == nil ? .stop(.noKey) : .wait)
    case .receipts: (self.app, way) = (app, receipt(else: .noSecret))
    case .noKey: (self.app, way) = (app, .stop(.noKey))
    }
  }
}
