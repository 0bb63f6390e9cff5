import Subscriptions

extension JSON {
  /// Where this falls short of what is expected, path by path.
  ///
  /// Of an object only the keys given matter, and they must be there; a list has all its elements, in order. `because` is
  /// for readers, `why_contains` are parts of `why`, and an instant may be written out in ISO 8601.
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

  /// Numbers are equal whichever way they are written.
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
