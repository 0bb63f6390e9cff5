import AppStore
import FakeAppStore
import Listening
import ReceiptStore
import Subscriptions
import Synchronization

/// Receives the notifications of a demonstration, on a free port of loopback.
final class DemoNotifications: Sendable {
  let listener: BackgroundListener
  /// Where the fake App Store is to post them.
  let address: NotificationAddress
  private let signatures: Believed

  /// What the fake App Store signs with is known only once it is there, and it needs to know before where to post to.
  private final class Believed: Sendable {
    let verifier = Mutex<SignatureVerifier?>(nil)

    @Sendable func admit(_ body: NotificationBody) -> Admission {
      guard let verifier = verifier.withLock(\.self) else { return .unknown("the demo is not set up yet") }
      guard case .version2(let kept) = body else { return .refused("it is of version 1") }
      do throws(SignedDataProblem) {
        return .taken(.signed(try kept.verified(by: verifier, for: OwnApps())))
      } catch {
        return .refused("\(error)")
      }
    }
  }

  init(_ store: ReceiptStore, _ clock: FakeClock) throws {
    var options = ListenerOptions()
    options.port = 0
    options.patience = nil
    signatures = Believed()
    listener = BackgroundListener(
      store, options, clock: { clock.now }, admit: signatures.admit)
    address = try NotificationAddress(ListenerText.url(options, port: listener.start()) + "/notifications")
  }

  /// Takes what this one signed, from now on.
  func take(signedBy root: Certificate?) {
    signatures.verifier.withLock { $0 = root.map { SignatureVerifier(root: $0) } }
  }
}
