import AppStore
import Listening
import Subscriptions
import Synchronization

/// Accepts notifications signed by the fake App Store, whose certificate is known only once it has started.
final class DemoNotifications: Sendable {
  private let verifier = Mutex<SignatureVerifier?>(nil)

  func take(signedBy root: Certificate?) {
    verifier.withLock { $0 = root.map { SignatureVerifier(root: $0) } }
  }

  @Sendable func admit(_ body: NotificationBody) -> Admission {
    guard let verifier = verifier.withLock(\.self) else { return .unknown("the demo is not set up yet") }
    guard case .version2(let kept) = body else { return .refused("it is version 1, not 2") }
    do throws(SignedDataProblem) {
      return .taken(.signed(try kept.verified(by: verifier, for: OwnApps())))
    } catch {
      return .refused("\(error)")
    }
  }
}
