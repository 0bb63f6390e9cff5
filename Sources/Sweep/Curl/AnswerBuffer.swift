/// Collects an answer, and refuses it once it is larger than anything that an App Store sends.
struct AnswerBuffer {
  /// How often larger than what came over the wire an answer may be, once it is large at all: rows of transactions
  /// compress to a twentieth, gzip's zeros to a thousandth.
  static let ratio = 200
  /// Bytes below which the ratio does not matter.
  static let small = 1 << 20

  private let limit: Int
  private let headerLimit: Int
  private(set) var bytes: [UInt8] = []
  private var headerBytes = 0
  /// Why the rest of the answer was not taken.
  private(set) var refusal: String?

  init(_ limits: TransferLimits) {
    limit = limits.answerBytes
    headerLimit = limits.headerBytes
  }

  mutating func clear() {
    bytes = []
    headerBytes = 0
    refusal = nil
  }

  /// - Parameter wire: bytes of the body received before decompression, this piece's included.
  mutating func take(_ piece: UnsafeRawBufferPointer, wire: Int) -> Bool {
    let size = bytes.count + piece.count
    if size > limit { return refuse("The answer is larger than \(limit) bytes") }
    if size > Self.small, size / Self.ratio > wire {
      return refuse("The answer unpacks to more than \(Self.ratio) times its size")
    }
    bytes.append(contentsOf: piece)
    return true
  }

  mutating func takeHeader(_ count: Int) -> Bool {
    headerBytes += count
    return headerBytes <= headerLimit || refuse("The answer's header is larger than \(headerLimit) bytes")
  }

  private mutating func refuse(_ reason: String) -> Bool {
    refusal = reason
    return false
  }
}
