/// A file of JSON values: JSON Lines, or one value over as many lines as it likes.
enum JSONValues {
  /// Reads one value after the other.
  ///
  /// - Parameters:
  ///   - canRead: whether this is a value as it should be, whatever it says.
  ///   - take: gets the bytes of each value with its place; nil for one that is too long.
  static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, canRead: ([UInt8]) -> Bool,
    _ take: (LineStream<Failure>.Line, [UInt8]?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return }
    if !first.isTooLong, !isWhole(first.text[...]) {
      try readOver(&lines, first, canRead: canRead, take)
    } else {
      try take(first, first.isTooLong ? nil : first.text)
    }
    while let line = try lines.next() { try take(line, line.isTooLong ? nil : line.text) }
  }

  /// A first line that leaves something open: the one value that goes on over the lines. Where it cannot be read but a later
  /// line holds a value of its own, they are JSON Lines with the first cut short.
  private static func readOver<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ first: LineStream<Failure>.Line, canRead: ([UInt8]) -> Bool,
    _ take: (LineStream<Failure>.Line, [UInt8]?) throws(Failure) -> Void
  ) throws(Failure) {
    var value = first.text
    // The whole of them stands where the first begins and the last ends.
    var whole = first
    var last = first.number
    var overlong: LineStream<Failure>.Line?
    while overlong == nil, let line = try lines.next() {
      let size = line.range.upperBound - first.range.lowerBound
      guard !line.isTooLong, size <= LineStream<Failure>.limit else {
        overlong = line
        break
      }
      // As many bytes and lines as the file has there, so that each line's place can be told from the value.
      let breaks = line.number - last
      let gap = line.range.lowerBound - whole.range.upperBound
      value.append(0x0A)
      value.append(contentsOf: repeatElement(0x20, count: max(0, gap - breaks)))
      value.append(contentsOf: repeatElement(0x0A, count: breaks - 1))
      value.append(contentsOf: line.text)
      last = line.number
      whole.range = first.range.lowerBound..<line.range.upperBound
    }
    if overlong == nil, canRead(value) { return try take(whole, value) }
    let isJSONLines = overlong.map { isObject($0.text[...]) } ?? false || hasObject(value)
    guard isJSONLines else {
      // Whatever else is in the file belongs to it.
      while overlong != nil, let line = try lines.next() { whole.isEnd = whole.isEnd || line.isEnd }
      whole.isEnd = whole.isEnd || overlong?.isEnd == true
      return try take(whole, overlong == nil ? value : nil)
    }
    var (start, number) = (0, first.number)
    while start <= value.count {
      let text = value[start...].prefix { $0 != 0x0A }
      let place = first.range.lowerBound + start
      if text.contains(where: { !isBlank($0) }) {
        let line = LineStream<Failure>.Line(
          number: number, range: place..<(place + text.count), text: Array(text))
        try take(line, line.text)
      }
      (start, number) = (text.endIndex + 1, number + 1)
    }
    if let overlong { try take(overlong, overlong.isTooLong ? nil : overlong.text) }
  }

  /// Whether a line after the first holds an object of its own.
  private static func hasObject(_ lines: [UInt8]) -> Bool {
    var rest = lines.drop { $0 != 0x0A }
    while rest.popFirst() != nil {
      let line = rest.prefix { $0 != 0x0A }
      if isObject(line) { return true }
      rest = rest[line.endIndex...]
    }
    return false
  }

  private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == UInt8(ascii: "{") && isWhole(line)
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
