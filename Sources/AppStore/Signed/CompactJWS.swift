import FoundationEssentials

/// Signed JSON in compact form, not verified: three parts in base64url, separated by dots (RFC 7515 §7.1).
public struct CompactJWS: Sendable {
  public let header: Substring
  public let payload: Substring
  public let signature: Substring
  /// Bytes that the signature is for: header, dot and payload.
  package let signed: ArraySlice<UInt8>

  /// `nil` if the text does not have three parts in that alphabet.
  public init?(_ text: String) {
    var text = text
    // Bytes are ten times faster than characters, and imports have millions of rows.
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

  /// Whether text begins as signed JSON does, with `{"` in base64url.
  public static func isLikely(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: Array("eyJ".utf8))
  }

  /// Returns the bytes of a part, or `nil` if it is not base64url.
  package static func bytes(of part: Substring) -> [UInt8]? {
    var part = part
    return part.withUTF8(Base64URL.decoded)
  }

  /// Decodes a part without verifying it; `nil` if it cannot be read.
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
}

extension CompactJWS {
  public static func sign(header: some Encodable, payload: some Encodable, with key: ES256Key) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let header = try? encoder.encode(header), let payload = try? encoder.encode(payload) else {
      return nil
    }
    return sign(headerPart: part(Array(header)), payload: Array(payload), with: key)
  }

  /// Signs a payload that is JSON already, for thousands of rows under one header.
  ///
  /// - Parameter headerPart: header in base64url.
  package static func sign(headerPart: String, payload: [UInt8], with key: ES256Key) -> String? {
    let signed = headerPart + "." + part(payload)
    return key.signature(of: Array(signed.utf8)).map { signed + "." + part($0) }
  }
}

extension CompactJWS {
  private struct Header: Decodable { var alg: String? }

  /// Returns why text is not signed JSON. Unsigned JSON may name an algorithm such as `none` (RFC 7515 §A.5).
  static func problem(of text: String) -> SignedDataProblem {
    guard text.utf8.last == UInt8(ascii: "."), let jws = CompactJWS(text + "AA"),
      let name = CompactJWS.unverified(jws.header, as: Header.self)?.alg, name != "ES256"
    else { return .notSigned }
    return .algorithm(named: name)
  }
}

/// Base64 with the URL-safe alphabet, without padding (RFC 4648 §5).
enum Base64URL {
  /// Six bits for each byte; 255 for a byte outside the alphabet.
  private static let values: [UInt8] = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  /// Returns the places of the dots; `nil` if there are more than two, or other bytes outside the alphabet.
  static func dots(in text: UnsafeBufferPointer<UInt8>) -> [Int]? {
    var dots: [Int] = []
    return values.withUnsafeBufferPointer { values in
      for (place, byte) in text.enumerated() where values[Int(byte)] == 255 {
        guard byte == UInt8(ascii: "."), dots.count < 2 else { return nil }
        dots.append(place)
      }
      return dots
    }
  }

  /// Returns `nil` if the text is not base64url. Surplus bits of the last character are ignored.
  static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard dots(in: text)?.isEmpty == true else { return nil }
    let standard = text.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let padding = repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    return Data(base64Encoded: Data(standard + padding)).map(Array.init)
  }
}
