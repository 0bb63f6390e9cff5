import FoundationEssentials

/// Signed JSON in its compact form, three parts in base64url with a dot between them (RFC 7515 §7.1). Nobody has verified it.
public struct CompactJWS: Sendable {
  /// As they came, in base64url.
  public let header: Substring
  public let payload: Substring
  public let signature: Substring
  /// What the signature is of: header, dot and payload.
  package let signed: ArraySlice<UInt8>

  /// Nil where the text has no three parts of that alphabet.
  public init?(_ text: String) {
    var text = text
    // By its bytes, since every row of millions comes through here, and characters cost ten times as much.
    guard let dots = text.withUTF8(Base64URL.dots), dots.count == 2, dots[0] > 0, dots[1] > dots[0] + 1,
      dots[1] + 1 < text.utf8.count
    else { return nil }
    let (first, second) = (Self.place(dots[0], text), Self.place(dots[1], text))
    header = text[..<first]
    payload = text[text.utf8.index(after: first)..<second]
    signature = text[text.utf8.index(after: second)...]
    signed = Array(text.utf8).prefix(dots[1])
  }

  private static func place(_ offset: Int, _ text: String) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: offset)
  }

  public var text: String { "\(header).\(payload).\(signature)" }

  /// Whether a text begins as signed JSON does: with the base64url of an object's brace and quotation mark.
  public static func isLikely(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: Array("eyJ".utf8))
  }

  /// The bytes of a part; nil where they are no base64url.
  package static func bytes(of part: Substring) -> [UInt8]? {
    var part = part
    return part.withUTF8(Base64URL.decoded)
  }

  /// What a part says, though nobody has verified it; nil where that is not what it should be.
  package static func unverified<Content: Decodable>(_ part: Substring, as type: Content.Type) -> Content? {
    bytes(of: part).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
  }

  /// The text of bytes, as a part.
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
}

extension CompactJWS {
  /// Signs a payload.
  ///
  /// - Parameters:
  ///   - header: with `alg` ES256.
  ///   - key: a private one.
  public static func sign(header: some Encodable, payload: some Encodable, with key: ES256Key) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let header = try? encoder.encode(header), let payload = try? encoder.encode(payload) else {
      return nil
    }
    return sign(headerPart: part(Array(header)), payload: Array(payload), with: key)
  }

  /// The same of what is JSON already, for thousands of rows under one header.
  ///
  /// - Parameter headerPart: in base64url.
  package static func sign(headerPart: String, payload: [UInt8], with key: ES256Key) -> String? {
    let signed = headerPart + "." + part(payload)
    return key.signature(of: Array(signed.utf8)).map { signed + "." + part($0) }
  }
}
