import AppStore
import Subscriptions

extension SigningAuthority {
  public static let validity =
    Instant(milliseconds: 1_700_000_000_000)...Instant(milliseconds: 1_800_000_000_000)

  public init?(
    leafMark: String? = SignatureVerifier.leafMark,
    intermediateMark: String? = SignatureVerifier.intermediateMark, isIntermediateAuthority: Bool = true
  ) {
    self.init(
      valid: Self.validity, leafMark: leafMark, intermediateMark: intermediateMark,
      isIntermediateAuthority: isIntermediateAuthority)
  }

  public func sign(_ payload: some Encodable, header: Header? = nil, key: ES256Key? = nil) -> String {
    CompactJWS.sign(header: header ?? self.header, payload: payload, with: key ?? self.key) ?? ""
  }
}
