/// JSON tree of an encodable value, with the key names of the JSON.
indirect enum EncodedTree: Sendable {
  case object([(name: String, value: EncodedTree)])
  case list([EncodedTree])
  case whole(Int128)
  case fraction(Double)
  case text(String)
  case flag(Bool)
  case null

  /// Returns the tree, or `null` if the value cannot be encoded.
  static func of(_ value: some Encodable) -> EncodedTree {
    let builder = TreeBuilder()
    guard (try? builder.encode(value)) != nil else { return .null }
    return builder.tree
  }

  subscript(name: String) -> EncodedTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Text of a string or a whole number; `nil` for anything else.
  var words: String? {
    switch self {
    case .whole(let number): String(number)
    case .text(let text): text
    case .fraction, .flag, .object, .list, .null: nil
    }
  }
}

extension EncodedTree: Encodable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    case .list(let elements): try elements.encode(to: encoder)
    case .whole(let number): try number.encode(to: encoder)
    case .fraction(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    case .flag(let flag): try flag.encode(to: encoder)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

private final class TreeBuilder: Encoder {
  private enum Contents {
    case nothing
    case leaf(EncodedTree)
    case object([(name: String, value: TreeBuilder)])
    case list([TreeBuilder])
  }

  private var contents = Contents.nothing

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var tree: EncodedTree {
    switch contents {
    case .nothing: .null
    case .leaf(let leaf): leaf
    case .object(let members): .object(members.map { ($0.name, $0.value.tree) })
    case .list(let elements): .list(elements.map(\.tree))
    }
  }

  var count: Int { if case .list(let elements) = contents { elements.count } else { 0 } }

  func encode(_ value: some Encodable) throws {
    switch value {
    case let number as Int: contents = .leaf(.whole(Int128(number)))
    case let number as any BinaryInteger: contents = .leaf(.whole(Int128(clamping: number)))
    case let number as Double: contents = .leaf(.fraction(number))
    case let number as Float: contents = .leaf(.fraction(Double(number)))
    case let text as String: contents = .leaf(.text(text))
    case let flag as Bool: contents = .leaf(.flag(flag))
    default: try value.encode(to: self)
    }
  }

  func encodeNil() { contents = .leaf(.null) }

  /// Keeps an object that has already begun, since several containers can encode into one.
  func beginObject() { if case .object = contents { return } else { contents = .object([]) } }
  func beginList() { if case .list = contents { return } else { contents = .list([]) } }

  func member(_ key: any CodingKey) -> TreeBuilder {
    let place = TreeBuilder()
    if case .object(var members) = contents {
      contents = .nothing
      members.append((key.stringValue.snakeCase, place))
      contents = .object(members)
    }
    return place
  }

  func element() -> TreeBuilder {
    let place = TreeBuilder()
    if case .list(var elements) = contents {
      contents = .nothing
      elements.append(place)
      contents = .list(elements)
    }
    return place
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginObject()
    return KeyedEncodingContainer(Members<Key>(builder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    beginList()
    return Elements(builder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Leaf(builder: self) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let builder: TreeBuilder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { builder.member(key).encodeNil() }
  func encode(_ value: some Encodable, forKey key: Key) throws { try builder.member(key).encode(value) }
  // The default implementation for `Int128` throws, here and below.
  func encode(_ value: Int128, forKey key: Key) throws { try builder.member(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    builder.member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    builder.member(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { builder }
  func superEncoder(forKey key: Key) -> any Encoder { builder.member(key) }
}

private struct Elements: UnkeyedEncodingContainer {
  let builder: TreeBuilder
  var codingPath: [any CodingKey] { [] }
  var count: Int { builder.count }

  func encodeNil() throws { builder.element().encodeNil() }
  func encode(_ value: some Encodable) throws { try builder.element().encode(value) }
  func encode(_ value: Int128) throws { try builder.element().encode(value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    builder.element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { builder.element().unkeyedContainer() }
  func superEncoder() -> any Encoder { builder.element() }
}

private struct Leaf: SingleValueEncodingContainer {
  let builder: TreeBuilder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { builder.encodeNil() }
  func encode(_ value: some Encodable) throws { try builder.encode(value) }
  func encode(_ value: Int128) throws { try builder.encode(value) }
}

extension String {
  fileprivate var snakeCase: String {
    guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
    var snake = ""
    for letter in self {
      if letter.isUppercase, !snake.isEmpty { snake += "_" }
      snake += letter.lowercased()
    }
    return snake
  }
}
