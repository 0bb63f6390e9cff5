import ArgumentParser
import Subscriptions

/// Check for a leading `~` that no shell has expanded, as in quotes or in a file.
enum UnexpandedTilde {
  /// Describes the problem, without a capital or a full stop; `nil` if there is none.
  ///
  /// - Parameter name: description of the path, such as "the store's path".
  static func problem(_ path: String?, _ name: @autoclosure () -> String) -> String? {
    guard let path, path.hasPrefix("~") else { return nil }
    return
      "\(name()) begins with ~, which no shell has replaced; write the folder out, and ./~ for a file that is called so"
  }

  /// - Parameter name: description of the path, which precedes the path in the message.
  static func refuse(_ path: String?, _ name: String) throws {
    if let problem = problem(path, "\(name) \(printable(path ?? ""))") { throw ValidationError(problem) }
  }
}

extension BlankValue {
  static func refuse(_ value: String?, _ name: String, _ advice: String) throws {
    if let problem = problem(value, name, advice) { throw ValidationError(problem) }
  }
}
