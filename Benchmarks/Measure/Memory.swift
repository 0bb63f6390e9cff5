import Glibc

/// Resident memory of this process, from `/proc/self/status`.
struct Memory: Encodable {
  let what = "memory"
  let residentKilobytes: Int
  let peakKilobytes: Int

  enum CodingKeys: String, CodingKey {
    case what
    case residentKilobytes = "resident_kb"
    case peakKilobytes = "peak_kb"
  }

  static var now: Memory {
    Memory(residentKilobytes: kilobytes("VmRSS:"), peakKilobytes: kilobytes("VmHWM:"))
  }

  /// Value of a line of `/proc/self/status`; 0 if absent.
  private static func kilobytes(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(name) else { continue }
      return text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return 0
  }
}
