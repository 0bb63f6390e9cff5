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
