import CCurl
import Subscriptions

/// Collects the body of an answer and refuses one that exceeds the limits.
struct AnswerBuffer {
  /// Maximum ratio of decompressed to received bytes. Transactions compress about 20:1, zeros in gzip 1000:1.
  static let ratio = 200
  /// Number of bytes below which the ratio is not checked.
  static let small = 1 << 20

  private let limit: Int
  private let headerLimit: Int
  private(set) var bytes: [UInt8] = []
  private var headerBytes = 0
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

  /// - Parameter wire: bytes of the body received before decompression, including this piece.
  /// - Returns: whether the answer is still within the limits.
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
