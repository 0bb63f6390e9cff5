/// What became of an alert at an instant.
public struct AlertState: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable, Encodable {
    case raised, clear
    /// The figure, or what is usual of it, is not known.
    case unknown
  }

  public let alert: Alert
  public let at: Instant
  public var verdict = Verdict.unknown
  /// Nil is unknown.
  public var value: ReportValue?
  /// What the value is held against; nil where that is not known.
  public var limit: ReportValue?
  /// The median of the same weekday over eight weeks, where the condition speaks of it.
  public var usual: ReportValue?
  /// What has to be mended before it can be held against anything; nil where nothing has.
  public var problem: AlertProblem?
  /// Since when it has been raised without a break, as far as sweeps saw it; nil where it is not, or none has seen it.
  public var raisedSince: Instant?
  /// When somebody was told; nil where nobody was.
  public var toldAt: Instant?

  public init(_ alert: Alert, at: Instant) { (self.alert, self.at) = (alert, at) }

  public var isRaised: Bool { verdict == .raised }
}

/// Something that somebody wants to be told of: a condition with a name.
public struct Alert: Hashable, Sendable {
  public let name: String
  public let condition: AlertCondition

  public init(_ name: String, _ condition: AlertCondition) {
    self.name = name
    self.condition = condition
  }

  /// What its figure is read from, and opened into rows by.
  ///
  /// - Parameter question: whose instant and settings are taken.
  public func question(_ question: Question) -> Question {
    var asked = question
    asked.panel = condition.figure.panel
    asked.windowDays = condition.days ?? AlertCondition.standardDays
    asked.products = condition.product.map { [$0] } ?? []
    return asked
  }
}
