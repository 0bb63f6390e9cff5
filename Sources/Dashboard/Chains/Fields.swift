/// Flat list of an encodable value's fields, in the order of declaration and with the names used in the JSON.
struct Fields {
  struct Field: Hashable, Sendable {
    /// Path such as `expires_ms` or `ends_history.0.from_ms`.
    let path: String
    let value: String
  }

  let all: [Field]

  /// Lists the fields of a value that are not `nil`, except those under the top-level keys in `left`.
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
}

/// Encoder that adds the fields of the value at `path` to `sink`, except missing values.
private struct FieldEncoder: Encoder, SingleValueEncodingContainer {
  let sink: FieldSink
  let path: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func at(_ name: String) -> Self { Self(sink: sink, path: path.isEmpty ? name : "\(path).\(name)") }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedFields(encoder: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { ListedFields(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {}
  func encode(_ value: some Encodable) throws {
    guard !sink.left.contains(path) else { return }
    switch value as Any {
    case let text as String: add(text)
    case let number as any BinaryInteger: add("\(number)")
    case let number as any BinaryFloatingPoint: add("\(number)")
    case let flag as Bool: add("\(flag)")
    default: try value.encode(to: self)
    }
  }

  private func add(_ text: String) { sink.fields.append(Fields.Field(path: path, value: text)) }
}

private struct KeyedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: FieldEncoder
  var codingPath: [any CodingKey] { [] }

  private func at(_ key: Key) -> FieldEncoder { encoder.at(key.stringValue.snakeCase) }

  func encodeNil(forKey key: Key) {}
  func encode(_ value: some Encodable, forKey key: Key) throws { try at(key).encode(value) }
  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    at(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { at(key) }
}

private struct ListedFields: UnkeyedEncodingContainer {
  let encoder: FieldEncoder
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(encoder: FieldEncoder) { self.encoder = encoder }

  private mutating func next() -> FieldEncoder {
    defer { count += 1 }
    return encoder.at("\(count)")
  }

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: some Encodable) throws { try next().encode(value) }
  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

extension String {
  fileprivate var snakeCase: String {
    reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
