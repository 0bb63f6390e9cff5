import Subscriptions

/// JSON value whose members keep their order; members that are `nil` are omitted.
enum JSON: Sendable {
  typealias Members = [(String, JSON?)]

  case text(String)
  case number(Int64)
  case flag(Bool)
  case list([JSON])
  case object(Members)

  init?(_ text: String?) {
    guard let text else { return nil }
    self = .text(text)
  }

  init?(_ number: Int64?) {
    guard let number else { return nil }
    self = .number(number)
  }

  init?(_ instant: Instant?) { self.init(instant?.rawValue) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): Self.write(text, to: &bytes)
    case .number(let number): bytes += String(number).utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      let start = bytes.count
      for case (let name, let value?) in members {
        bytes.append(bytes.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
        Self.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
      }
      bytes += (bytes.count == start ? "{}" : "}").utf8
    }
  }

  /// Writes a text without escaping, because no text of the fake App Store needs it.
  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  init(stringLiteral text: String) { self = .text(text) }
  init(dictionaryLiteral members: (String, JSON?)...) { self = .object(members) }
}
