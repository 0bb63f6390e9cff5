import FoundationEssentials

/// Any JSON, so that the shape can be looked at without the decoders that read it elsewhere.
enum JSONValue: Decodable, Equatable, Sendable {
  case null
  case flag(Bool)
  case number(Int64)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [JSONValue] { if case .list(let list) = self { list } else { [] } }
  var object: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
}
