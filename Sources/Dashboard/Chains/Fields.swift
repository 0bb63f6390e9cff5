/// Flat list of a value's fields, in the order of declaration and with the names used in the JSON.
struct Fields {
  struct Field: Hashable, Sendable {
    /// Path such as `expires_ms` or `ends_history.0.from_ms`.
    let path: String
    let value: String?
  }

  private(set) var all: [Field] = []

  /// - Parameter left: Top-level keys to omit.
  init(of value: some Encodable, without left: Set<String> = []) {
    let sink = FieldSink(without: left)
    // None of the encoded types throws errors of its own.
    try? value.encode(to: FieldEncoder(sink: sink, path: ""))
    all = sink.fields
  }

  subscript(path: String) -> String? { all.first { $0.path == path }?.value }
}

private final class FieldSink {
  let left: Set<String>
  var fields: [Fields.Field] = []

  init(without left: Set<String>) { self.left = left }

  func take(_ value: some Encodable, at path: String) throws {
    guard !left.contains(path) else { return }
    switch value as Any {
    case let text as String: fields.append(Fields.Field(path: path, value: text))
    case let number as any BinaryInteger: fields.append(Fields.Field(path: path, value: "\(number)"))
    case let number as Double: fields.append(Fields.Field(path: path, value: "\(number)"))
    case let flag as Bool: fields.append(Fields.Field(path: path, value: flag ? "true" : "false"))
    default: try value.encode(to: FieldEncoder(sink: self, path: path))
    }
  }

  func takeNothing(at path: String) {
    if !left.contains(path) { fields.append(Fields.Field(path: path, value: nil)) }
  }
}

private struct FieldEncoder: Encoder {
  let sink: FieldSink
  let path: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedFields(sink: sink, path: path))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { ListedFields(sink: sink, path: path) }
  func singleValueContainer() -> any SingleValueEncodingContainer { OneField(sink: sink, path: path) }

  static func path(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

private struct KeyedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: FieldSink
  let path: String
  var codingPath: [any CodingKey] { [] }

  private func path(of key: Key) -> String { FieldEncoder.path(path, key.stringValue.snakeCase) }

  mutating func encodeNil(forKey key: Key) { sink.takeNothing(at: path(of: key)) }
  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try sink.take(value, at: path(of: key))
  }
  mutating func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(KeyedFields<Other>(sink: sink, path: path(of: key)))
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ListedFields(sink: sink, path: path(of: key))
  }
  mutating func superEncoder() -> any Encoder { FieldEncoder(sink: sink, path: path) }
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    FieldEncoder(sink: sink, path: path(of: key))
  }
}

private struct ListedFields: UnkeyedEncodingContainer {
  let sink: FieldSink
  let path: String
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(sink: FieldSink, path: String) { (self.sink, self.path) = (sink, path) }

  private mutating func next() -> String {
    defer { count += 1 }
    return FieldEncoder.path(path, "\(count)")
  }

  mutating func encodeNil() { sink.takeNothing(at: next()) }
  mutating func encode(_ value: some Encodable) throws { try sink.take(value, at: next()) }
  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedFields(sink: sink, path: next()))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ListedFields(sink: sink, path: next())
  }
  mutating func superEncoder() -> any Encoder { FieldEncoder(sink: sink, path: next()) }
}

private struct OneField: SingleValueEncodingContainer {
  let sink: FieldSink
  let path: String
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() { sink.takeNothing(at: path) }
  mutating func encode(_ value: some Encodable) throws { try sink.take(value, at: path) }
}

extension String {
  fileprivate var snakeCase: String {
    reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
