import ArgumentParser
import Subscriptions

extension BlankValue {
  static func refuse(_ value: String?, _ name: String, _ advice: String) throws {
    if let problem = problem(value, name, advice) { throw ValidationError(problem) }
  }
}
