import FakeAppStore
import ReceiptStore
import Subscriptions

/// What somebody in a demonstration wants to be told of, as `[alerts]` of a configuration has it: the bad release's refunds, which a sweep saw
/// days ago, the churn that came of them, and the revenue at risk, which is in bounds.
enum DemoAlerts {
  static let conditions = [
    ("refunds", "refunds > 3x usual"), ("churn", "churn_rate > 6%"),
    ("retry", "billing_retry.mrr_at_risk > 500"),
  ]

  static func watch(_ store: ReceiptStore) throws(AlertProblem) -> AlertWatch {
    var configuration = ConfigurationFile.standard
    configuration.reportingCurrency = FakeRates.base
    for (name, condition) in conditions {
      configuration.alerts.alerts.append(Alert(name, try AlertCondition(parsing: condition)))
    }
    return AlertWatch(configuration, store)
  }

  /// As sweeps of the days before would have seen them.
  static func wereSeen(in store: ReceiptStore, upTo now: Instant) throws {
    let watch = try watch(store)
    for days in stride(from: Int64(14), to: 0, by: -1) {
      for trouble in watch.tell(at: now - days * Milliseconds.day) { Standard.complain(trouble) }
    }
  }
}
