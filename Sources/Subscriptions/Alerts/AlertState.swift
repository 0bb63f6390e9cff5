/// Result of evaluating an alert at an instant.
public struct AlertState: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable, Encodable {
    case raised, clear
    /// The figure, its usual value or the limit's currency is not known.
    case unknown
  }

  public let alert: Alert
  public let at: Instant
  public var verdict = Verdict.unknown
  public var value: ReportValue?
  public var limit: ReportValue?
  /// Usual value; `nil` if the limit is fixed or the usual value is unknown.
  public var usual: ReportValue?
  public var problem: AlertProblem?
  /// Instant at which a sweep saw the alert become raised, filled in by the store; `nil` if unknown.
  public var raisedSince: Instant?
  public var toldAt: Instant?

  public init(_ alert: Alert, at: Instant) { (self.alert, self.at) = (alert, at) }

  public var isRaised: Bool { verdict == .raised }

  mutating func hold(_ value: ReportValue?, against limit: ReportValue?) {
    (self.value, self.limit) = (value, limit)
    guard let value, let limit else { return }
    verdict = alert.condition.relation.holds(value.number, limit.number) ? .raised : .clear
  }
}

/// Named condition; the configured recipient gets a message when the alert is raised and when it is cleared.
public struct Alert: Hashable, Sendable {
  public let name: String
  public let condition: AlertCondition

  public init(_ name: String, _ condition: AlertCondition) { (self.name, self.condition) = (name, condition) }

  public func question(_ question: Question) -> Question {
    var asked = question
    asked.panel = condition.figure.panel
    asked.length = .days(condition.days ?? AlertCondition.standardDays)
    asked.products = condition.product.map { [$0] } ?? []
    return asked
  }
}
