/// Signed data as it came, in base64url, kept so that anybody can verify it again.
public struct SignedText: Hashable, Sendable {
  /// Rows by the thousand have the same.
  public var header: String
  public var payload: String
  public var signature: String

  public init(header: String, payload: String, signature: String) {
    (self.header, self.payload, self.signature) = (header, payload, signature)
  }

  /// In its compact form (RFC 7515 §7.1).
  public var text: String { "\(header).\(payload).\(signature)" }
}
