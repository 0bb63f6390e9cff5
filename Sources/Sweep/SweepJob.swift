import AppStore
import ReceiptStore
import Subscriptions

/// Receipt or customer in a sweep; descriptions omit the content, because it includes the secret.
struct SweepJob: Sendable, CustomStringConvertible, CustomReflectable {
  let receipt: ReceiptID
  /// App whose requests `AppBreakers` stops together; `nil` if the app is unknown.
  let app: BundleID?
  let size: Int
  private let secret: SharedSecret?
  /// Whether to request only each subscription's newest renewal (`exclude-old-transactions`).
  private let excludesOld: Bool
  private(set) var context: OutcomeContext
  private(set) var history: FailureHistory
  /// Number of attempts in this sweep, with the current one, but without a redirect to the other environment.
  private(set) var tries = 1
  private(set) var hasMoved = false
  /// Whether the newer receipt was sent first and refused, so that the imported receipt is sent instead.
  private(set) var isLatestRefused = false
  /// Earliest time of the next request, in milliseconds since the sweep began; `nil` if it need not wait.
  var notBefore: Int64?
  var isUrgent = false

  /// - Parameter app: App of the receipt: as imported, as named in the receipt, or else the key's app.
  init(
    _ due: DueReceipt, of app: BundleID?, secret: SharedSecret? = nil, questions: CustomerQuestions? = nil,
    options: SweepOptions, at now: Instant
  ) {
    (receipt, size) = (due.id, due.size)
    (self.app, self.secret) = (app, secret)
    excludesOld = secret != nil && options.mayLeaveOutOld(due, at: now)
    // The first request goes to production, unless an earlier answer came from the sandbox.
    context = OutcomeContext(asked: due.environment == .sandbox ? .sandbox : .production)
    context.app = app
    context.ourApps = options.ourApps
    context.chains = due.originalTransactionIDs
    context.questions = questions
    if secret != nil { (context.receipt, context.latest) = (due.data, due.latest) }
    history = due.history
  }

  /// Whether the answer may omit existing purchases, because only new data was requested.
  var isPartial: Bool { context.questions?.isPartial ?? excludesOld }

  /// Returns the request; `nil` if no token can be signed or the body cannot be encoded.
  ///
  /// The request is built only when the transfer begins, because it contains the secret.
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

  /// Rate limit that applies to the next request; `nil` if the request has no known limit.
  var limited: RequestLimits.Subject? {
    context.questions.map {
      RequestLimits.Subject(app: $0.app, isHistory: $0.call.isHistory, environment: context.asked)
    }
  }

  /// Returns a copy for the other environment, where a history is requested without a revision.
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

  /// Returns a copy that sends the imported receipt if a newer one was refused or redirected, else `nil`.
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

  /// Returns a copy for another attempt in the first environment, because a redirect may have been a mistake;
  /// it sends the imported receipt, or requests the history again.
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

  var description: String { "receipt \(receipt) for \(context.asked.rawValue)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension SweepOptions {
  /// Whether a recent answer with the complete history permits `exclude-old-transactions`, which hides
  /// refunds of older periods and upgraded rows.
  func mayLeaveOutOld(_ due: DueReceipt, at now: Instant) -> Bool {
    guard let full = due.lastFullAnswer, !due.originalTransactionIDs.isEmpty else { return false }
    let age = now - full
    // Jitter makes weekly checks slightly early, but the check on the seventh day must still be complete.
    return age >= 0 && age < fullAnswerEvery - fullAnswerEvery / 7
  }
}

/// Claimed receipt or customer, and the way to validate it.
enum ClaimedReceipt {
  case askable(SweepJob)
  /// The app has no key or secret, or is not configured, so all its requests stop.
  case ofStoppedApp(BundleID?, StoppedApp.Reason)
  /// The customer is known only by an id, and waits for a key; receipts of the app are still validated.
  case waitingForKey(BundleID?)
  /// No request about this receipt is possible; other receipts of its app are not affected.
  case unaskable(SweepJob)

  static let nothingToAskWith =
    "the receipt contains no transaction id for the Server API, and there is no shared secret for verifyReceipt"

  init(
    _ due: DueReceipt, secrets: SharedSecrets, serverAPI: ServerAPIAccess?, options: SweepOptions,
    at now: Instant
  ) {
    lazy var contents = due.data.flatMap(ReceiptContents.init)
    // A receipt is sent only with the secret of its own app. The receipt itself may name the app.
    let app = due.bundleID ?? contents?.bundleID
    if let ours = options.ourApps, let app, !ours.contains(app) {
      self = .ofStoppedApp(app, .notOurs)
      return
    }
    let secret = secrets.secret(for: app)
    switch serverAPI?.way(app) ?? .receipts {
    case .key(let key, let keyApp, let mayUseReceipts):
      let app = app ?? keyApp
      if let verifier = serverAPI?.verifier, let customer = due.customer ?? contents?.customerID {
        let questions = CustomerQuestions(
          customer, of: keyApp, from: due.revision, key: key, verifier: verifier)
        self = .askable(SweepJob(due, of: app, questions: questions, options: options, at: now))
      } else if mayUseReceipts, due.data != nil, let secret {
        self = .askable(SweepJob(due, of: app, secret: secret, options: options, at: now))
      } else {
        self = .unaskable(SweepJob(due, of: app, options: options, at: now))
      }
    case .receipts where due.data == nil:
      // The entry came from a notification or an id. It must not stop requests about the app's receipts.
      self = secret == nil ? .ofStoppedApp(app, .noKey) : .waitingForKey(app)
    case .receipts:
      self =
        secret.map { .askable(SweepJob(due, of: app, secret: $0, options: options, at: now)) }
        ?? .ofStoppedApp(app, .noSecret)
    case .noKey: self = .ofStoppedApp(app, .noKey)
    }
  }
}
