import Subscriptions

/// Flat list of a value's known fields, in the order of declaration and with the names used in the JSON.
struct Fields {
  struct Field: Hashable, Sendable {
    /// Path such as `expires_ms` or `ends_history.0.from_ms`.
    let path: String
    let value: String
  }

  private(set) var all: [Field] = []

  /// - Parameter left: Top-level keys to omit.
  init(of value: Any, without left: Set<String> = []) { add(value, at: "", without: left) }

  subscript(path: String) -> String? { all.first { $0.path == path }?.value }

  private mutating func add(_ value: Any, at path: String, without left: Set<String>) {
    guard !left.contains(path) else { return }
    if let text = Self.text(of: value) {
      all.append(Field(path: path, value: text))
      return
    }
    for (place, child) in Mirror(reflecting: value).children.enumerated() {
      // A property with a wrapper has its name after an underscore, and its value in the wrapper.
      let name = child.label.map { $0.drop { $0 == "_" }.snakeCase } ?? "\(place)"
      let isWrapped = ["some", "wrapped_value"].contains(name)
      add(child.value, at: isWrapped ? path : path.isEmpty ? name : "\(path).\(name)", without: left)
    }
  }

  /// Returns the text of a value without fields of its own.
  private static func text(of value: Any) -> String? {
    switch value {
    case let text as String: text
    case let number as any BinaryInteger: "\(number)"
    case let number as Double: "\(number)"
    case let flag as Bool: "\(flag)"
    case let period as Period: period.iso8601
    case let environment as StoreEnvironment: environment.rawValue
    case let raw as any RawRepresentable: "\(raw.rawValue)"
    default: nil
    }
  }
}

extension Substring {
  fileprivate var snakeCase: String {
    reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
