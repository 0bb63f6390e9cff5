import AppStore
import ReceiptStore
import Subscriptions

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
