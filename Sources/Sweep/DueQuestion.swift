import AppStore
import ReceiptStore
import Subscriptions

/// What is asked about a receipt or customer that is due, by what is known of it and what the configuration has.
struct DueQuestion {
  enum Way {
    case ask(SweepJob.Way)
    /// Nobody of the app is asked about.
    case stop(StoppedApp.Reason)
    /// There is nothing to ask with about this one alone.
    case nothing
    /// It waits as it is for a key, and the others of its app are asked about.
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
    // A receipt is sent with the secret of its own app alone, which it names itself where nobody else did.
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
      // A notification, or an id, brought it: that is no reason to leave the app's receipts alone.
      (self.app, way) = (app, secrets.secret(for: app) == nil ? .stop(.noKey) : .wait)
    case .receipts: (self.app, way) = (app, receipt(else: .noSecret))
    case .noKey: (self.app, way) = (app, .stop(.noKey))
    }
  }
}
