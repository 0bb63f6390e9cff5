import CCurl
import Subscriptions
import Synchronization

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

struct AnswerHeaders {
  /// Server's clock from the `Date` field, in whole seconds.
  private(set) var date: Instant?
  /// `Retry-After` as the Server API sends it: milliseconds since 1970 (*App Store Server API › Identifying
  /// rate limits*). The standard forms, seconds and dates, are read by libcurl.
  private(set) var retryAt: Instant?

  /// Maximum length of a line. No date and no number is longer.
  private static let longest = 100

  mutating func take(_ line: UnsafeRawBufferPointer) {
    // The last answer counts, after interim ones (1xx).
    if line.starts(with: "HTTP/".utf8) { self = AnswerHeaders() }
    guard line.count < Self.longest, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: line[(colon + 1)...].filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    switch name {
    case "date":
      let seconds = curl_getdate(value, nil)
      date = seconds > 0 ? Instant(milliseconds: Int64(seconds) * Milliseconds.second) : nil
    case "retry-after":
      // As seconds, this would be three thousand years.
      let number = Int64(value.drop { $0 == " " }) ?? 0
      retryAt = number > 100_000_000_000 ? Instant(milliseconds: number) : nil
    default: break
    }
  }
}

/// A limit on the bytes in memory at once. Holders draw from it as they grow and give the bytes back when
/// they are released.
///
/// One holder at a time may exceed the limit, so that holders cannot block each other forever. Memory is
/// therefore bounded by the capacity plus the longest single item.
package final class ByteBudget: Sendable {
  private let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var used = 0
    var overdrawn: ObjectIdentifier?
    var isWanted = false
    var wake: @Sendable () -> Void = {}
  }

  package init(_ capacity: Int) { self.capacity = capacity }

  /// Sets the function that is called when bytes become free after a refused draw.
  ///
  /// - Parameter wake: called from any thread.
  func whenFreed(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  package var used: Int { state.withLock { $0.used } }

  /// Whether no new item should begin. If so, the function set by `whenFreed` is called later.
  package var isExhausted: Bool {
    state.withLock { state in
      let isExhausted = state.used >= capacity
      state.isWanted = state.isWanted || isExhausted
      return isExhausted
    }
  }

  fileprivate func draw(_ count: Int, for holder: ObjectIdentifier) -> Bool {
    state.withLock { state in
      if state.used + count > capacity, state.overdrawn != holder {
        guard state.overdrawn == nil else {
          state.isWanted = true
          return false
        }
        state.overdrawn = holder
      }
      state.used += count
      return true
    }
  }

  fileprivate func give(back count: Int, from holder: ObjectIdentifier, isAll: Bool) {
    let wake: (@Sendable () -> Void)? = state.withLock { state in
      state.used -= count
      if isAll, state.overdrawn == holder { state.overdrawn = nil }
      guard state.isWanted else { return nil }
      state.isWanted = false
      return state.wake
    }
    wake?()
  }
}

/// Bytes drawn from a budget. They are given back when the last reference is released.
package final class HeldBytes: Sendable {
  private let budget: ByteBudget
  private let count = Mutex(0)

  package init(of budget: ByteBudget) { self.budget = budget }

  deinit { budget.give(back: count.withLock { $0 }, from: ObjectIdentifier(self), isAll: true) }

  /// Draws the bytes that are missing from `size`.
  ///
  /// - Returns: `false` if other holders must give bytes back first; nothing is drawn then.
  package func grow(to size: Int) -> Bool {
    count.withLock { count in
      guard size > count else { return true }
      guard budget.draw(size - count, for: ObjectIdentifier(self)) else { return false }
      count = size
      return true
    }
  }

  package func shrink(to size: Int) {
    let surplus = count.withLock { count in
      let surplus = max(count - size, 0)
      count -= surplus
      return surplus
    }
    if surplus > 0 { budget.give(back: surplus, from: ObjectIdentifier(self), isAll: false) }
  }
}
