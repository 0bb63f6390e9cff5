import CCurl
import Subscriptions

/// Collects the header and body of an answer, and refuses an answer that exceeds the limits.
struct IncomingAnswer {
  /// Maximum bytes of all header lines, including those of interim answers (1xx).
  static let headerLimit = 64 << 10
  /// Length in bytes from which a header line is ignored; the fields that are used are always shorter.
  private static let longestLine = 100

  let limit: Int
  private(set) var body: [UInt8] = []
  private var headerBytes = 0
  private(set) var refusal: String?
  /// Server's clock from the `Date` field, in whole seconds.
  private(set) var date: Instant?
  /// Instant from `Retry-After` in the Server API's format, milliseconds since 1970 (*App Store Server API ›
  /// Identifying rate limits*); libcurl reads the standard formats.
  private(set) var retryAt: Instant?
  private(set) var quota: Double?

  init(limit: Int) { self.limit = limit }

  mutating func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard body.count + piece.count <= limit else {
      refusal = "The answer is larger than \(limit) bytes"
      return false
    }
    body.append(contentsOf: piece)
    return true
  }

  mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    guard headerBytes <= Self.headerLimit else {
      refusal = "The answer's header is larger than \(Self.headerLimit) bytes"
      return false
    }
    // Only the final answer counts; interim answers (1xx) come before it.
    if line.starts(with: "HTTP/".utf8) { (date, retryAt, quota) = (nil, nil, nil) }
    guard line.count < Self.longestLine, let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      return true
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: line[(colon + 1)...].filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    if name == "date" {
      let seconds = curl_getdate(value, nil)
      date = seconds > 0 ? Instant(milliseconds: Int64(seconds) * Milliseconds.second) : nil
    } else if name == "retry-after" {
      // Numbers this large are milliseconds; as seconds, they would mean three thousand years.
      let number = Int64(value.drop { $0 == " " }) ?? 0
      retryAt = number > 100_000_000_000 ? Instant(milliseconds: number) : nil
    } else if name == "x-rate-limit" {
      // `user-hour-lim:3600;user-hour-rem:500;`
      let numbers = value.split { !$0.isNumber }.compactMap { Double($0) }
      quota = numbers.count == 2 ? numbers[1] / numbers[0] : nil
    }
    return true
  }
}
