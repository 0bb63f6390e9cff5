/// Collects the body of an answer and refuses one that exceeds the limits.
struct AnswerBuffer {
  /// Maximum ratio of decompressed to received bytes. Transactions compress about 20:1, zeros in gzip 1000:1.
  static let ratio = 200
  /// Number of bytes below which the ratio is not checked.
  static let small = 1 << 20

  /// Bytes drawn from the budget at a time, so that not every piece needs a draw.
  private static let grain = 64 << 10

  /// Result of taking a piece; `later` if the budget is exhausted.
  enum Taking { case taken, later, refused }

  private let limit: Int
  private let headerLimit: Int
  private(set) var bytes: [UInt8] = []
  /// Share of the budget of all answers.
  private(set) var held: HeldBytes
  private let budget: ByteBudget
  private var headerBytes = 0
  private(set) var refusal: String?

  init(_ limits: TransferLimits, budget: ByteBudget) {
    self.budget = budget
    held = HeldBytes(of: budget)
    limit = limits.answerBytes
    headerLimit = limits.headerBytes
  }

  mutating func clear() {
    bytes = []
    held = HeldBytes(of: budget)
    headerBytes = 0
    refusal = nil
  }

  /// - Parameter wire: bytes of the body received before decompression, including this piece.
  mutating func take(_ piece: UnsafeRawBufferPointer, wire: Int) -> Taking {
    let size = bytes.count + piece.count
    if size > limit {
      _ = refuse("The answer is larger than \(limit) bytes")
      return .refused
    }
    if size > Self.small, size / Self.ratio > wire {
      _ = refuse("The answer unpacks to more than \(Self.ratio) times its size")
      return .refused
    }
    guard held.grow(to: (size + Self.grain - 1) / Self.grain * Self.grain) else { return .later }
    bytes.append(contentsOf: piece)
    return .taken
  }

  /// Ends the body and reduces its share of the budget to its size.
  mutating func close() -> HeldBytes {
    held.shrink(to: bytes.count)
    return held
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
