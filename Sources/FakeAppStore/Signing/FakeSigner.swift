import AppStore
import FoundationEssentials
import Subscriptions

/// Signs as the App Store does, with a certificate authority of its own that is made anew for each server.
///
/// One leaf signs everything, so that the header is made once and a signature costs some thirty microseconds.
struct FakeSigner: Sendable {
  let authority: SigningAuthority
  private let headerPart: String

  /// Nil where libcrypto makes no keys.
  init?() {
    // The fake's clock may show any time.
    guard let authority = SigningAuthority(valid: FieldLimits.earliest...FieldLimits.latest) else {
      return nil
    }
    self.authority = authority
    guard let header = Self.bytes(of: authority.header) else { return nil }
    headerPart = CompactJWS.part(header)
  }

  /// What another signer signed, with another signature.
  func sign(again text: String) -> String {
    CompactJWS(text).flatMap { CompactJWS.bytes(of: $0.payload) }.map(sign) ?? text
  }

  /// - Parameter payload: an object of JSON.
  func sign(_ payload: [UInt8]) -> String {
    CompactJWS.sign(headerPart: headerPart, payload: payload, with: authority.key) ?? ""
  }

  func sign(_ payload: some Encodable) -> String? { Self.bytes(of: payload).map { sign($0) } }

  private static func bytes(of payload: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(payload)).map(Array.init)
  }
}
