/// What one transfer may cost before it is given up.
public struct TransferLimits: Hashable, Sendable {
  /// Milliseconds until the connection, TLS included, must stand.
  public var connect: Int
  /// Milliseconds from start to end.
  public var total: Int
  /// Seconds without a byte in either direction.
  public var silence: Int
  /// Bytes of the answer after decompression. The largest real answers seen are a few hundred kB.
  public var answerBytes: Int

  public init(
    connect: Int = 10_000, total: Int = 90_000, silence: Int = 20, answerBytes: Int = 32 << 20
  ) {
    self.connect = connect
    self.total = total
    self.silence = silence
    self.answerBytes = answerBytes
  }
}
