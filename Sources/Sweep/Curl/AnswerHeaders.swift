import CCurl
import Subscriptions

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
