import AppStore
import Listening
import ReceiptStore

extension NotificationListener {
  /// One that takes what the configuration's secrets and certificates let in.
  convenience init(
    _ store: ReceiptStore, _ options: ListenerOptions, _ checks: NotificationChecks,
    _ troubles: ListenerTroubles
  ) {
    self.init(
      store, options: options,
      hooks: ListenerHooks(
        clock: { SystemClock.now }, admit: checks.admission, metrics: ListenerText.openMetrics,
        report: troubles.report))
  }
}

extension NotificationChecks {
  @Sendable fileprivate func admission(_ body: NotificationBody) -> Admission {
    do throws(Failure) {
      switch try judge(body) {
      case .taken(let notification): return .taken(notification)
      case .refused(let reason), .untrusted(let reason): return .refused(reason)
      }
    } catch {
      return .unknown(error.message)
    }
  }
}
