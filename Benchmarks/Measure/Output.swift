import FoundationEssentials
import Glibc

enum Output {
  static func write(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try write(Array(encoder.encode(value)) + [UInt8(ascii: "\n")])
  }

  static func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw OutputError(reason: String(cString: strerror(errno)))
      }
    }
  }
}

struct OutputError: Error, CustomStringConvertible {
  let reason: String
  var description: String { "cannot write to standard output: \(reason)" }
}
