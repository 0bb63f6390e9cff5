import AppStore
import Subscriptions

/// Input whose parts are signed before they are read, since random bytes never have a valid signature.
///
/// The byte 0x1E separates parts. The first part is read. The others are signed as payloads, and `@1` to `@9`
/// in a part refer to the signed form of a later part.
struct SignedInput {
  /// First part, with the signed parts inserted.
  let body: [UInt8]
  /// Signed texts: header, dot and payload.
  private let signed: Set<String>

  /// Maximum size of a part in bytes: slightly more than a page of twenty rows.
  private static let most = 1 << 18

  init(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x1E, maxSplits: 9, omittingEmptySubsequences: false)
    var (texts, signed): ([Int: [UInt8]], Set<String>) = ([:], [])
    for (place, part) in parts.enumerated().dropFirst().reversed() {
      guard let text = Authority.own.sign(Self.filled(part, texts)) else { continue }
      texts[place] = Array(text.utf8)
      signed.insert(Self.withoutSignature(text))
    }
    body = Self.filled(parts.first ?? [], texts)
    self.signed = signed
  }

  func holds(_ text: SignedText) -> Bool { signed.contains("\(text.header).\(text.payload)") }

  private static func withoutSignature(_ text: String) -> String {
    text.lastIndex(of: ".").map { String(text[..<$0]) } ?? text
  }

  private static func filled(_ part: ArraySlice<UInt8>, _ texts: [Int: [UInt8]]) -> [UInt8] {
    var (filled, rest): ([UInt8], ArraySlice<UInt8>) = ([], part)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "@"), let digit = rest.first, let text = texts[Int(digit) - 0x30],
        filled.count + text.count <= most
      {
        filled += text
        rest = rest.dropFirst()
      } else {
        filled.append(byte)
      }
    }
    return filled
  }
}

/// Authority with certificates made at the start, which signs as the App Store does.
struct Authority {
  let signing: SigningAuthority
  let header: String
  let verifier: SignatureVerifier

  static let own = Authority()
  static let stranger = Authority()

  private init() {
    guard let signing = SigningAuthority(valid: FieldLimits.earliest...FieldLimits.latest) else {
      Fuzz.stop("libcrypto makes no certificates")
    }
    self.signing = signing
    header = CompactJWS.part(Self.json(signing.header.x5c ?? []))
    verifier = SignatureVerifier(root: signing.root)
  }

  static func json(_ certificates: [String]) -> [UInt8] {
    let list = certificates.map { "\"\($0)\"" }.joined(separator: ",")
    return Array("{\"alg\":\"ES256\",\"x5c\":[\(list)]}".utf8)
  }

  func sign(_ payload: [UInt8]) -> String? { sign(payload, header: header) }

  func sign(_ payload: [UInt8], header: String) -> String? {
    CompactJWS.sign(headerPart: header, payload: payload, with: signing.key)
  }
}
