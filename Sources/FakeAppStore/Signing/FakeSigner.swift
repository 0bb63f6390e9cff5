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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let header = try? encoder.encode(authority.header) else { return nil }
    headerPart = CompactJWS.part(Array(header))
  }

  /// What another signer signed, with another signature.
  func sign(again text: String) -> String {
    CompactJWS(text).flatMap { CompactJWS.bytes(of: $0.payload) }.map(sign) ?? text
  }

  /// - Parameter payload: an object of JSON.
  func sign(_ payload: [UInt8]) -> String {
    CompactJWS.sign(headerPart: headerPart, payload: payload, with: authority.key) ?? ""
  }
}
