import AppStore
import Subscriptions

/// An input whose parts are put behind signatures: random bytes never pass one, and what stands behind it would never be read.
///
/// Parts are told apart by the byte 0x1E. The first is what is read; the others are signed as payloads, and `@1` to `@9` in a part stand
/// for what became of a later one.
struct SignedInput {
  /// The first part, with the signed data that it names.
  let body: [UInt8]
  /// What was signed: header, dot and payload of each.
  private let signed: Set<String>

  /// Bytes that a part may grow to: twenty rows of a page, and a few more.
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

  /// Whether it was signed here.
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

/// Somebody who signs as the App Store does, with certificates that are made when the fuzzer begins.
struct Authority {
  let signing: SigningAuthority
  let header: String
  /// Trusts it alone.
  let verifier: SignatureVerifier

  /// Whose signatures are good.
  static let own = Authority()
  /// Who signs nothing that is ever good.
  static let stranger = Authority()

  private init() {
    guard let signing = SigningAuthority(valid: FieldLimits.earliest...FieldLimits.latest) else {
      Fuzz.stop("libcrypto makes no certificates")
    }
    self.signing = signing
    header = CompactJWS.part(Self.json(signing.header.x5c ?? []))
    verifier = SignatureVerifier(root: signing.root)
  }

  /// A header with these certificates.
  static func json(_ certificates: [String]) -> [UInt8] {
    let list = certificates.map { "\"\($0)\"" }.joined(separator: ",")
    return Array("{\"alg\":\"ES256\",\"x5c\":[\(list)]}".utf8)
  }

  func sign(_ payload: [UInt8]) -> String? { sign(payload, header: header) }

  func sign(_ payload: [UInt8], header: String) -> String? {
    CompactJWS.sign(headerPart: header, payload: payload, with: signing.key)
  }
}
