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
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isOfAlphabet) }) else {
      return nil
    }
    (header, payload, signature) = (parts[0], parts[1], parts[2])
    signed = Array(text.utf8).prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)
  }

  public var text: String { "\(header).\(payload).\(signature)" }

  /// Whether a text begins as signed JSON does: with the base64url of an object's brace and quotation mark.
  public static func isLikely(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: Array("eyJ".utf8))
  }

  /// The bytes of a part; nil where they are no base64url.
  package static func bytes(of part: Substring) -> [UInt8]? {
    var standard = part.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    standard += Array(repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: Data(standard)).map(Array.init)
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

  private static func isOfAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
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
