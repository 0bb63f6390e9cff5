import FoundationEssentials
import Subscriptions

/// Certificate authority that imitates Apple's with generated keys, for the fake App Store and for tests.
public struct SigningAuthority: Sendable {
  public let root: Certificate
  public let intermediate: Certificate
  public let leaf: Certificate
  public let key: ES256Key

  /// Generates an authority; `nil` if libcrypto fails.
  ///
  /// - Parameter leafMark: Marker extension of the leaf; `nil` for a leaf that a verifier must refuse.
  public init?(
    valid: ClosedRange<Instant>, leafMark: String? = SignatureVerifier.leafMark,
    intermediateMark: String? = SignatureVerifier.intermediateMark, isIntermediateAuthority: Bool = true
  ) {
    func make(
      _ name: String, _ key: ES256Key, _ issuer: (certificate: Certificate, key: ES256Key)?,
      isAuthority: Bool, _ mark: String?
    ) -> Certificate? {
      Certificate.make(
        name, for: key, by: issuer, isAuthority: isAuthority, mark: mark,
        validFrom: valid.lowerBound, until: valid.upperBound)
    }
    guard let rootKey = ES256Key.generate(), let middleKey = ES256Key.generate(),
      let key = ES256Key.generate(), let root = make("Root", rootKey, nil, isAuthority: true, nil),
      let middle = make(
        "Intermediate", middleKey, (root, rootKey), isAuthority: isIntermediateAuthority, intermediateMark),
      let leaf = make("Leaf", key, (middle, middleKey), isAuthority: false, leafMark)
    else { return nil }
    (self.root, intermediate, self.leaf, self.key) = (root, middle, leaf, key)
  }

  /// JWS header with the certificate chain (RFC 7515 §4.1.6).
  public struct Header: Encodable, Sendable {
    public var alg: String? = "ES256"
    public var x5c: [String]?

    public init(x5c: [String]? = nil) { self.x5c = x5c }
  }

  public var header: Header {
    Header(x5c: [leaf, intermediate, root].map { Data($0.der).base64EncodedString() })
  }
}

extension Certificate {
  /// Apple Root CA - G3, the root of the App Store's signed JSON, valid until 2039-04-30: *Apple PKI*.
  public static let appleRoot: Certificate? = Data(base64Encoded: appleRootText).flatMap {
    Certificate(der: Array($0))
  }
}

private let appleRootText = """
  MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQL\
  DB1BcHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMw\
  MTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRp\
  ZmljYXRpb24gQXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IA\
  BJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqX\
  l5dvMVztK517IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8w\
  DgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWT\
  xnS4at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==
  """
