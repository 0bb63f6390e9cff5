/// Result of evaluating an alert at an instant.
public struct AlertState: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable, Encodable {
    case raised, clear
    /// The figure or its usual value is not known.
    case unknown
  }

  public let alert: Alert
  public let at: Instant
  public var verdict = Verdict.unknown
  public var value: ReportValue?
  public var limit: ReportValue?
  /// Median of the same weekday over eight weeks, if the condition compares with the usual value.
  public var usual: ReportValue?
  public var problem: AlertProblem?
  /// Start of the current raised state, as far as sweeps saw it; `nil` if it is not raised, or no sweep saw
  /// it.
  public var raisedSince: Instant?
  public var toldAt: Instant?

  public init(_ alert: Alert, at: Instant) { (self.alert, self.at) = (alert, at) }

  public var isRaised: Bool { verdict == .raised }
}

/// Condition with a name. A message is sent when it is raised.
public struct Alert: Hashable, Sendable {
  public let name: String
  public let condition: AlertCondition

  public init(_ name: String, _ condition: AlertCondition) {
    self.name = name
    self.condition = condition
  }

  /// Question that reads the alert's figure, or lists the rows behind it.
  ///
  /// - Parameter question: Template for the instant and settings.
  public func question(_ question: Question) -> Question {
    var asked = question
    asked.panel = condition.figure.panel
    asked.length = .days(condition.days ?? AlertCondition.standardDays)
    asked.products = condition.product.map { [$0] } ?? []
    return asked
  }
}
