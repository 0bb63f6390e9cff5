import AppStore

/// What one transfer may cost before it is given up, and whom it trusts.
public struct TransferLimits: Hashable, Sendable {
  /// Milliseconds until the connection, name lookup and TLS included, must stand.
  public var connect: Int
  /// Milliseconds from start to end.
  public var total: Int
  /// Seconds without a byte in either direction.
  public var silence: Int
  /// Bytes of the answer after decompression.
  public var answerBytes: Int
  /// Bytes of all answers from their first byte to their commit, that of one more apart.
  public var bytesInFlight: Int
  /// Bytes of the answer's header lines, those of interim answers included.
  public var headerBytes: Int
  /// Trusted in place of the system's; nil trusts the system's. They live as long as the engine.
  public var certificates: CertificateBundle?

  public init(
    connect: Int = 10_000, total: Int = 90_000, silence: Int = 20, answerBytes: Int = FieldLimits.answer,
    bytesInFlight: Int = 8 << 20, headerBytes: Int = 64 << 10, certificates: CertificateBundle? = nil
  ) {
    self.connect = connect
    self.total = total
    self.silence = silence
    self.answerBytes = answerBytes
    self.bytesInFlight = bytesInFlight
    self.headerBytes = headerBytes
    self.certificates = certificates
  }
}
