import AppStore
import FoundationEssentials
import Subscriptions

/// A certificate authority like Apple's, of which the test has every key.
public struct SigningAuthority: Sendable {
  public let root: Certificate
  public let intermediate: Certificate
  public let leaf: Certificate
  public let key: ES256Key

  public static let validity =
    Instant(milliseconds: 1_700_000_000_000)...Instant(milliseconds: 1_800_000_000_000)

  /// Nil where libcrypto makes none.
  public init?(
    leafMark: String? = SignatureVerifier.leafMark,
    intermediateMark: String? = SignatureVerifier.intermediateMark, isIntermediateAuthority: Bool = true
  ) {
    func make(
      _ name: String, _ key: ES256Key, _ issuer: (certificate: Certificate, key: ES256Key)?,
      isAuthority: Bool, _ mark: String?
    ) -> Certificate? {
      Certificate.make(
        name, for: key, by: issuer, isAuthority: isAuthority, mark: mark,
        validFrom: Self.validity.lowerBound, until: Self.validity.upperBound)
    }
    guard let rootKey = ES256Key.generate(), let middleKey = ES256Key.generate(),
      let key = ES256Key.generate(),
      let root = make("Root", rootKey, nil, isAuthority: true, nil),
      let middle = make(
        "Intermediate", middleKey, (root, rootKey), isAuthority: isIntermediateAuthority, intermediateMark),
      let leaf = make("Leaf", key, (middle, middleKey), isAuthority: false, leafMark)
    else { return nil }
    (self.root, intermediate, self.leaf, self.key) = (root, middle, leaf, key)
  }

  public struct Header: Encodable {
    public var alg: String? = "ES256"
    public var x5c: [String]?

    public init(x5c: [String]? = nil) { self.x5c = x5c }
  }

  public var header: Header {
    Header(x5c: [leaf, intermediate, root].map { Data($0.der).base64EncodedString() })
  }

  public func sign(_ payload: some Encodable, header: Header? = nil, key: ES256Key? = nil) -> String {
    CompactJWS.sign(header: header ?? self.header, payload: payload, with: key ?? self.key) ?? ""
  }
}
