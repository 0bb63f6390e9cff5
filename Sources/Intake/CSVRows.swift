extension LineFormat {
  /// Reads a header and the rows below it.
  ///
  /// - Parameters:
  ///   - header: parses the first line.
  ///   - row: parses another line, with the result of `header`.
  static func readRows<Failure: Error, Header>(
    _ lines: inout LineStream<Failure>, header: ([UInt8]) throws(BadField) -> Header,
    row: ([UInt8], Header) throws(BadField) -> Item,
    _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return try take(1, empty) }
    guard !first.isTooLong else { return try take(first.number, .bad(first.reasonOfLength)) }
    if let problem = CSVLine.problem(ofFirst: first.text) { return try take(first.number, .bad(problem)) }
    let found: Header
    do throws(BadField) {
      found = try header(first.text)
    } catch {
      return try take(first.number, .bad(error.reason))
    }
    while let line = try lines.next() {
      try take(line.number, content(of: line) { (text) throws(BadField) in try row(text, found) })
    }
  }

  private static func content<Failure: Error>(
    of line: LineStream<Failure>.Line, _ row: ([UInt8]) throws(BadField) -> Item
  ) -> LineContent<Item> {
    guard !line.isTooLong else { return .bad(line.reasonOfLength) }
    do throws(BadField) {
      return .item(try row(line.text))
    } catch {
      return .bad(error.reason)
    }
  }
}

/// Returns a decimal in units of 10^-`places`, exactly; `nil` if the text is not one or is too long.
func units(ofDecimal text: String, whole: Int, places: Int) -> Int64? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let fraction = parts.count == 2 ? parts[1] : ""
  guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.count <= whole,
    fraction.utf8.count <= places, parts.count == 1 || !fraction.isEmpty,
    (parts[0] + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) })
  else { return nil }
  return Int64(parts[0] + fraction + String(repeating: "0", count: places - fraction.utf8.count))
}
