import AppStore
import ReceiptStore
import Subscriptions

/// One receipt on its way through a sweep. It holds the receipt and the secret, so a job never describes itself.
struct SweepJob: Sendable, CustomStringConvertible, CustomReflectable {
  let receipt: ReceiptID
  /// Which breaker it belongs to; nil where the app is not known yet.
  let app: BundleID?
  private let secret: SharedSecret
  /// What its contents take of the budget for receipts.
  private var held: HeldBytes?
  /// Whether only the newest renewal of each subscription is asked for.
  let isPartial: Bool
  private(set) var context: OutcomeContext
  private(set) var history: FailureHistory
  /// Requests made for it in this sweep, the present one included; a hop to the other environment is not one more.
  private(set) var tries = 1
  /// Whether it was sent on to the other environment at any of them.
  private(set) var hasMoved = false
  /// Whether the newer receipt that was sent first was refused, so that the one that was imported is asked about.
  private(set) var isLatestRefused = false

  /// - Parameter app: whose receipt it is, as it was imported or as it says itself.
  init(
    _ due: DueReceipt, of app: BundleID?, secret: SharedSecret, options: SweepOptions, at now: Instant,
    in budget: ByteBudget
  ) {
    receipt = due.id
    held = HeldBytes(of: budget)
    _ = held?.grow(to: due.size)
    self.app = app
    isPartial = options.mayLeaveOutOld(due, at: now)
    self.secret = secret
    // Production first, whatever the receipt looks like; only an answer has told where it belongs.
    context = OutcomeContext(asked: due.environment == .sandbox ? .sandbox : .production)
    context.app = app
    context.ourApps = options.ourApps
    context.receipt = due.data
    context.latest = due.latest
    context.chains = due.originalTransactionIDs
    history = FailureHistory()
    history.failures = due.attempts
    history.since = due.failingSince
    history.lastReason = due.lastFailure
    history.sameSince = due.sameFailureSince
    history.wasValidated = due.environment != nil
  }

  /// What is to be sent, with the secret: it is written when the transfer begins, and wiped when that ends.
  var body: SecretBytes {
    RequestBody.verifyReceipt(
      receiptData: (context.latest ?? context.receipt)?.base64 ?? "", password: secret,
      excludingOldTransactions: isPartial)
  }

  /// The same for the other environment.
  func rerouted(to environment: StoreEnvironment) -> Self {
    var job = self
    job.context.asked = environment
    job.context.isRerouted = true
    job.hasMoved = true
    return job
  }

  /// The receipt as it was imported, where a newer one was sent and the outcome refuses that: nothing of it counts against
  /// the receipt, since the newer one came over the wire.
  func original(after outcome: Outcome) -> Self? {
    guard context.latest != nil else { return nil }
    switch outcome {
    case .answer, .secretRefused: return nil
    case .failed(let failing) where failing.kind == .passing: return nil
    case .failed, .elsewhere: break
    }
    var job = self
    job.context.latest = nil
    job.isLatestRefused = true
    return job
  }

  /// The same receipt once more within the sweep, as it was imported, from the start: a hop may have been a mistake as well.
  func again(after failing: Failing, at now: Instant) -> Self {
    var job = self
    job.context.latest = nil
    job.tries += 1
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
