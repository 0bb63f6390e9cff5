import Subscriptions

extension JSON {
  /// Differences from the expectation, by path.
  ///
  /// Objects may have other members; lists must match in order. `because` is a remark, `why_contains` lists
  /// parts of `why`, and instants may be in ISO 8601.
  func shortcomings(of expected: JSON, at path: String = "") -> [String] {
    switch (expected, self) {
    case (.object(let wanted), .object(let members)):
      return wanted.sorted { $0.key < $1.key }.flatMap { key, value in
        shortcoming(key, value, of: members, at: path.isEmpty ? key : "\(path).\(key)")
      }
    case (.list(let wanted), .list(let values)) where wanted.count == values.count:
      return zip(wanted, values).enumerated().flatMap { index, pair in
        pair.1.shortcomings(of: pair.0, at: "\(path)[\(index)]")
      }
    case (.list(let wanted), .list(let values)):
      return ["\(path): \(values.count) elements instead of \(wanted.count): \(shortened)"]
    default:
      return isSame(as: expected, isInstant: path.hasSuffix("_ms"))
        ? [] : ["\(path): \(shortened) instead of \(expected)"]
    }
  }

  private func shortcoming(
    _ key: String, _ wanted: JSON, of members: [String: JSON], at path: String
  ) -> [String] {
    switch key {
    case "because": return []
    case "why_contains":
      let why = members["why"]?.text ?? ""
      let parts = wanted.text.map { [$0] } ?? wanted.list.compactMap(\.text)
      return parts.filter { !why.contains($0) }.map { "\(path): \"\($0)\" is not in \"\(why)\"" }
    default:
      guard let value = members[key] else { return ["\(path): there is no such key"] }
      return value.shortcomings(of: wanted, at: path)
    }
  }

  private func isSame(as expected: JSON, isInstant: Bool) -> Bool {
    switch (expected, self) {
    case (.integer(let wanted), .number(let value)): Double(wanted) == value
    case (.number(let wanted), .integer(let value)): wanted == Double(value)
    case (.text(let wanted), .integer(let value)) where isInstant: Instant(parsing: wanted)?.rawValue == value
    default: self == expected
    }
  }

  private var shortened: String { String("\(self)".prefix(300)) }
}
