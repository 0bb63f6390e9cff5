import AppStore
import ReceiptStore
import Subscriptions

/// One receipt on its way through a sweep. The body holds the receipt and the secret, so a job never describes itself.
struct SweepJob: Sendable, CustomStringConvertible, CustomReflectable {
  let receipt: ReceiptID
  let body: [UInt8]
  private(set) var context: OutcomeContext

  init(_ due: DueReceipt, secret: SharedSecret) throws {
    receipt = due.id
    body = try VerifyReceiptRequest(receiptData: due.data.base64, password: secret.text).body
    // Production first, whatever the receipt looks like; only an answer has told where it belongs.
    context = OutcomeContext(asked: due.environment == .sandbox ? .sandbox : .production)
    context.app = due.bundleID
    context.failures = due.attempts
    context.wasValidated = due.environment != nil
  }

  /// The same body for the other environment.
  func rerouted(to environment: StoreEnvironment) -> Self {
    var job = self
    job.context.asked = environment
    job.context.isRerouted = true
    return job
  }

  var description: String { "receipt \(receipt) for \(context.asked.rawValue)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
