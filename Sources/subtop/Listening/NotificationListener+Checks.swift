import AppStore
import Listening
import ReceiptStore
import Subscriptions

extension NotificationListener {
  convenience init(
    _ store: ReceiptStore, _ options: ListenerOptions, _ troubles: ListenerTroubles,
    clock: @escaping @Sendable () -> Instant = { SystemClock.now },
    admit: @escaping @Sendable (NotificationBody) -> Admission
  ) {
    self.init(
      store, options: options,
      hooks: ListenerHooks(
        clock: clock, admit: admit, metrics: ListenerText.openMetrics, report: troubles.report))
  }
}

extension NotificationChecks {
  /// Decides by the configuration's secrets and certificates.
  @Sendable func admission(_ body: NotificationBody) -> Admission {
    do throws(Failure) {
      switch try judgeReceived(body) {
      case .taken(let notification): return .taken(notification)
      case .refused(let reason), .untrusted(let reason): return .refused(reason)
      }
    } catch {
      return .unknown(error.message)
    }
  }
}
