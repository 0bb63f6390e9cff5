/// A file of JSON values: JSON Lines, or one value over as many lines as it likes.
struct JSONValues {
  let bytes: [UInt8]

  /// Reads one value after the other.
  ///
  /// - Parameters:
  ///   - canRead: whether this is a value as it should be, whatever it says.
  ///   - read: takes one value, or says what is wrong with its line.
  func read<Item>(
    canRead: ([UInt8]) -> Bool, _ read: ([UInt8], _ line: Int, inout Reading<Item>) -> Void
  ) -> Reading<Item> {
    var reading = Reading<Item>()
    let lines = Array(Lines(bytes: bytes))
    guard let first = lines.first else {
      reading.bad(1, "the file is empty")
      return reading
    }
    if !Self.isWhole(first.text), let value = Self.oneValue(lines.map(\.text), canRead) {
      read(value, first.number, &reading)
    } else {
      for (number, text) in lines { read(Array(text), number, &reading) }
    }
    return reading
  }

  /// The one value that goes on over the lines; nil where it cannot be read but a later line holds a value of its own, since
  /// then they are JSON Lines with the first cut short.
  private static func oneValue(_ lines: [ArraySlice<UInt8>], _ canRead: ([UInt8]) -> Bool) -> [UInt8]? {
    let value = Array(lines.joined(separator: [0x0A]))
    if canRead(value) { return value }
    let isJSONLines = lines.dropFirst().contains { $0.first == UInt8(ascii: "{") && isWhole($0) }
    return isJSONLines ? nil : value
  }

  /// A value that goes on over several lines leaves a bracket open on its first.
  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var (inText, isEscaped) = (false, false)
    for byte in line {
      if inText {
        (inText, isEscaped) = (
          isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\")
        )
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): inText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return depth <= 0 && !inText
  }
}
