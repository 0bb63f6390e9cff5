import CCurl
import Subscriptions

/// The headers of an answer that somebody asks for.
struct AnswerHeaders {
  /// Apple's clock, in whole seconds.
  private(set) var date: Instant?
  /// `Retry-After` as the Server API gives it: milliseconds since 1970 (*App Store Server API › Identifying rate limits*). Seconds and
  /// dates are libcurl's to read.
  private(set) var retryAt: Instant?

  /// More would be no date and no number.
  private static let longest = 100

  mutating func take(_ line: UnsafeRawBufferPointer) {
    // The answer that counts is the last, after one that asks for patience (1xx).
    if line.starts(with: "HTTP/".utf8) { self = AnswerHeaders() }
    guard line.count < Self.longest, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: line[(colon + 1)...].filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    switch name {
    case "date":
      let seconds = curl_getdate(value, nil)
      date = seconds > 0 ? Instant(milliseconds: Int64(seconds) * Milliseconds.second) : nil
    case "retry-after":
      // So many seconds are three thousand years.
      let number = Int64(value.drop { $0 == " " }) ?? 0
      retryAt = number > 100_000_000_000 ? Instant(milliseconds: number) : nil
    default: break
    }
  }
}
