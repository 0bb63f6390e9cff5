/// Collects an answer, and refuses it once it is larger than anything that an App Store sends.
struct AnswerBuffer {
  /// How often larger than what came over the wire an answer may be, once it is large at all: rows of transactions
  /// compress to a twentieth, gzip's zeros to a thousandth.
  static let ratio = 200
  /// Bytes below which the ratio does not matter.
  static let small = 1 << 20

  /// What an answer draws on its budget at a time, so that it need not ask for every piece.
  private static let grain = 64 << 10

  /// What becomes of a piece.
  enum Taking { case taken, later, refused }

  private let limit: Int
  private let headerLimit: Int
  private(set) var bytes: [UInt8] = []
  /// What the bytes have drawn on the budget of all answers.
  private(set) var held: HeldBytes
  private let budget: ByteBudget
  private var headerBytes = 0
  /// Why the rest of the answer was not taken.
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

  /// - Parameter wire: bytes of the body received before decompression, this piece's included.
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

  /// The whole has come: no more than its size stays drawn.
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
