import AppStore
import FakeAppStore
import Listening
import ReceiptStore
import Subscriptions
import Synchronization

/// Listener for the demonstration's notifications, on a free loopback port.
final class DemoNotifications: Sendable {
  let listener: BackgroundListener
  /// Address that the fake App Store posts to.
  let address: NotificationAddress
  private let signatures: Believed

  /// Verifier of the fake App Store's signatures. Its certificate is known only once it runs, which needs the
  /// listener's address first.
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

  /// Accepts notifications signed under `root` from now on.
  func take(signedBy root: Certificate?) {
    signatures.verifier.withLock { $0 = root.map { SignatureVerifier(root: $0) } }
  }
}
