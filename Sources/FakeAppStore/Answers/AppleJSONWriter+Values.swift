import Subscriptions

/// What signed data has and receipts have not: numbers and booleans that are such, in JSON.
extension AppleJSONWriter {
  mutating func value(_ key: StaticString, _ number: Int64?) {
    if let number { self.number(key, number) }
  }

  /// Milliseconds since 1970.
  mutating func value(_ key: StaticString, _ instant: Instant?) { value(key, instant?.rawValue) }

  mutating func value(_ key: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    self.key(key)
    raw(flag ? "true" : "false")
    endMember()
  }

  mutating func list(_ key: StaticString, _ texts: [String]) {
    self.key(key)
    openList()
    for text in texts { element(text) }
    closeArray()
  }
}
