/// Signed data in base64url, kept so that it can be verified again.
public struct SignedText: Hashable, Sendable {
  /// Equal in thousands of rows.
  public var header: String
  public var payload: String
  public var signature: String

  public init(header: String, payload: String, signature: String) {
    (self.header, self.payload, self.signature) = (header, payload, signature)
  }

  /// Compact form (RFC 7515 §7.1).
  public var text: String { "\(header).\(payload).\(signature)" }
}
