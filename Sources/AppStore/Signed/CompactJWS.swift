import FoundationEssentials

/// Unverified signed JSON in compact form: three base64url parts separated by dots (RFC 7515 §7.1).
public struct CompactJWS: Sendable {
  public let header: Substring
  public let payload: Substring
  public let signature: Substring
  /// Signed bytes: header, dot and payload.
  package let signed: ArraySlice<UInt8>

  public init?(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isDigit) }) else {
      return nil
    }
    (header, payload, signature) = (Substring(parts[0]), Substring(parts[1]), Substring(parts[2]))
    signed = Array(text.utf8).prefix(parts[0].count + 1 + parts[1].count)
  }

  /// Whether a byte belongs to the URL-safe alphabet of base64 (RFC 4648 §5).
  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  public var text: String { "\(header).\(payload).\(signature)" }

  /// Whether the text begins like signed JSON: `eyJ` is `{"` in base64url.
  public static func isLikely(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: Array("eyJ".utf8))
  }

  /// Returns the decoded bytes of a part; `nil` if it is not base64url.
  package static func bytes(of part: Substring) -> [UInt8]? {
    guard part.utf8.allSatisfy(isDigit) else { return nil }
    let standard = part.utf8.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }
    let padding = repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: Data(standard + padding)).map(Array.init)
  }

  package static func unverified<Content: Decodable>(_ part: Substring, as type: Content.Type) -> Content? {
    bytes(of: part).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
  }

  package static func part(_ bytes: [UInt8]) -> String {
    let standard = Data(bytes).base64EncodedString()
    return String(
      decoding: standard.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
      }, as: UTF8.self)
  }

  public static func sign(header: some Encodable, payload: some Encodable, with key: ES256Key) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let header = try? encoder.encode(header), let payload = try? encoder.encode(payload) else {
      return nil
    }
    return sign(headerPart: part(Array(header)), payload: Array(payload), with: key)
  }

  /// Signs a JSON payload; `headerPart` is already base64url, so that thousands of rows can share it.
  package static func sign(headerPart: String, payload: [UInt8], with key: ES256Key) -> String? {
    let signed = headerPart + "." + part(payload)
    return key.signature(of: Array(signed.utf8)).map { signed + "." + part($0) }
  }
}
