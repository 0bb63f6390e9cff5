import FoundationEssentials

/// JSON as it came, for putting a fragment into the form of an answer and for changing the order of lists.
enum JSON: Codable, Hashable, Sendable {
  case null
  case flag(Bool)
  case whole(Int64)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
    self = value
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let whole = try? value.decode(Int64.self) {
      self = .whole(whole)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .whole(let whole): try container.encode(whole)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }

  var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

  subscript(key: String) -> JSON? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The same, with every list in another order.
  func shuffled(with generator: inout some RandomNumberGenerator) -> JSON {
    switch self {
    case .list(let list):
      var shuffled: [JSON] = []
      for element in list { shuffled.append(element.shuffled(with: &generator)) }
      return .list(shuffled.shuffled(using: &generator))
    case .object(let object):
      var changed: [String: JSON] = [:]
      for key in object.keys.sorted() { changed[key] = object[key]?.shuffled(with: &generator) }
      return .object(changed)
    default: return self
    }
  }
}
