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
  /// A file of CA certificates in PEM to trust in place of the system's; nil trusts the system's.
  public var certificates: String?

  /// The longest receipt that anybody has told of was 5,004,203 bytes (github.com/itenfay/DYFStoreKit, issue 7). A purchase
  /// takes some 420 bytes of a real receipt in base64 and twice 730 of a real answer, once in `in_app` and once in
  /// `latest_receipt_info`: that receipt holds 12,000 purchases at the most, and its answer 22 MB with `latest_receipt`. Ten
  /// years of weekly renewals beside 5,000 consumables come to 7 MB.
  public static let longestAnswer = 24 << 20

  /// Twice what the longest known receipt can hold: short rows of no use to anybody make many of few bytes.
  public static let mostTransactions = 25_000

  public init(
    connect: Int = 10_000, total: Int = 90_000, silence: Int = 20, answerBytes: Int = longestAnswer,
    bytesInFlight: Int = 8 << 20, headerBytes: Int = 64 << 10, certificates: String? = nil
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
