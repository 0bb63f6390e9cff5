import AppStore

extension LineFormat {
  /// Reads a header and the rows below it; a row with the key of an earlier row is a bad line.
  ///
  /// - Parameters:
  ///   - most: Maximum number of rows, and the plural name of a row for messages.
  ///   - header: Parses the first line.
  ///   - row: Parses a later line, given the result of `header`.
  ///   - repetition: Returns the key of a row, and the message for a second row with this key.
  static func readRows<Failure: Error, Header, Key: Hashable>(
    _ lines: inout LineStream<Failure>, atMost most: (count: Int, what: String),
    header: ([UInt8]) throws(UnreadableAnswer) -> Header,
    row: ([UInt8], Header) throws(UnreadableAnswer) -> Item, repetition: (Item) -> (key: Key, reason: String),
    _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return try take(1, empty) }
    let found: Header
    do throws(UnreadableAnswer) {
      if let fault = first.fault { throw UnreadableAnswer(reason: fault) }
      found = try header(first.text)
    } catch {
      return try take(first.number, .bad(error.reason))
    }
    var seen: Set<Key> = []
    while let line = try lines.next() {
      let content = LineContent { () throws(UnreadableAnswer) in
        if let fault = line.fault { throw UnreadableAnswer(reason: fault) }
        let item = try row(line.text, found)
        let (key, reason) = repetition(item)
        guard !seen.contains(key) else { throw UnreadableAnswer(reason: reason) }
        guard seen.count < most.count else {
          throw UnreadableAnswer(
            reason: "the file has more than \(FieldLimits.grouped(most.count)) \(most.what)")
        }
        seen.insert(key)
        return item
      }
      try take(line.number, content)
    }
  }
}

/// Parses a decimal exactly, in units of 10^-`places`; `nil` if it is malformed or too long.
func units(ofDecimal text: String, whole: Int, places: Int) -> Int64? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let fraction = parts.count == 2 ? parts[1] : ""
  guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.count <= whole,
    fraction.utf8.count <= places, parts.count == 1 || !fraction.isEmpty,
    (parts[0] + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) })
  else { return nil }
  return Int64(parts[0] + fraction + String(repeating: "0", count: places - fraction.utf8.count))
}
