import FoundationEssentials

enum JSON: Decodable, Equatable, CustomStringConvertible {
  case null
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSON.self, from: Data(bytes)) }

  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Most frequent types first: Swift Testing records a backtrace of every thrown error.
    if container.decodeNil() {
      self = .null
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let members = try? container.decode([String: JSON].self) {
      self = .object(members)
    } else if let list = try? container.decode([JSON].self) {
      self = .list(list)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .flag(try container.decode(Bool.self))
    }
  }

  /// Member by path, such as `trust.lines`.
  subscript(path: String) -> JSON? {
    path.split(separator: ".").reduce(self as JSON?) { value, key in
      if case .object(let members)? = value { members[String(key)] } else { nil }
    }
  }

  var integer: Int? { if case .integer(let value) = self { Int(value) } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var list: [JSON] { if case .list(let value) = self { value } else { [] } }
  var object: [String: JSON] { if case .object(let value) = self { value } else { [:] } }

  var description: String {
    switch self {
    case .null: "null"
    case .flag(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): "\"\(value)\""
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
  }

  func differences(from other: JSON, at path: String = "") -> [String] {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      return Set(left.keys).union(right.keys).sorted().flatMap { key in
        (left[key] ?? .null).differences(from: right[key] ?? .null, at: path.isEmpty ? key : "\(path).\(key)")
      }
    case (.list(let left), .list(let right)) where left.count == right.count:
      return zip(left, right).enumerated().flatMap { $1.0.differences(from: $1.1, at: "\(path)[\($0)]") }
    default:
      return self == other
        ? [] : ["\(path): \(String("\(self)".prefix(200))) is not \(String("\(other)".prefix(200)))"]
    }
  }
}
