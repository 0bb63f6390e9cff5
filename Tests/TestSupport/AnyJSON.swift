import FoundationEssentials

/// Generic JSON value, for checks that do not depend on the production decoders.
public enum AnyJSON: Decodable, Hashable, Sendable {
  case null
  case flag(Bool)
  case number(Int64)
  case fraction(Double)
  case text(String)
  case list([AnyJSON])
  case object([String: AnyJSON])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let fraction = try? container.decode(Double.self) {
      self = .fraction(fraction)
    } else if let list = try? container.decode([AnyJSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: AnyJSON].self))
    }
  }

  public init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(AnyJSON.self, from: Data(bytes)) }

  public subscript(key: String) -> AnyJSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var list: [AnyJSON] { if case .list(let list) = self { list } else { [] } }
  public var object: [String: AnyJSON] { if case .object(let members) = self { members } else { [:] } }
}
