import ArgumentParser
import Subscriptions

/// A `~` in a path that no shell has expanded, for example in quotes or in a file.
enum UnexpandedTilde {
  /// What is wrong with such a path, in words without a capital and a full stop; nil with any other.
  ///
  /// - Parameter name: what the path is of: "the store's path".
  static func problem(_ path: String?, _ name: @autoclosure () -> String) -> String? {
    guard let path, path.hasPrefix("~") else { return nil }
    return
      "\(name()) begins with ~, which no shell has replaced; write the folder out, and ./~ for a file that is called so"
  }

  /// - Parameter name: as in `problem`, before the path itself.
  static func refuse(_ path: String?, _ name: String) throws {
    if let problem = problem(path, "\(name) \(printable(path ?? ""))") { throw ValidationError(problem) }
  }
}

extension BlankValue {
  static func refuse(_ value: String?, _ name: String, _ advice: String) throws {
    if let problem = problem(value, name, advice) { throw ValidationError(problem) }
  }
}
