import FoundationEssentials

/// Writes JSON with Apple's own spacing: `", "` between members, a new line before every object of an array.
struct AppleJSONWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  private init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// A whole object.
  ///
  /// - Parameter capacity: the bytes that it is likely to have.
  static func object(capacity: Int, _ members: (inout AppleJSONWriter) -> Void) -> [UInt8] {
    var writer = AppleJSONWriter(capacity: capacity)
    writer.openObject()
    members(&writer)
    writer.closeObject()
    return writer.bytes
  }

  // MARK: Structure

  mutating func openObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  mutating func closeObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// An element of an array stands on a line of its own.
  mutating func openElement() {
    separate()
    raw("\n{")
    needsComma = false
  }

  mutating func openArray(_ key: StaticString) {
    separate()
    raw("\n")
    name(key)
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Of texts, on one line.
  mutating func openList() {
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  mutating func element(_ text: String) {
    separate()
    quoted(text)
  }

  mutating func closeArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// The key of an object or a value to come.
  mutating func key(_ key: StaticString) {
    separate()
    name(key)
    needsComma = false
  }

  // MARK: Members

  mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    quoted(text)
  }

  mutating func member(_ key: StaticString, _ text: String?) {
    if let text { member(key, text) }
  }

  /// Transactions spell their flags out.
  mutating func member(_ key: StaticString, _ flag: Bool) { member(key, flag ? "true" : "false") }

  /// A JSON number, of which Apple has few.
  mutating func number(_ key: StaticString, _ number: Int64?) {
    self.key(key)
    if let number { digits(number) } else { raw("null") }
    needsComma = true
  }

  mutating func base64(_ key: StaticString, of data: [UInt8]) {
    self.key(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: Data(data).base64EncodedData())
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  // MARK: Pieces

  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func name(_ key: StaticString, suffix: StaticString = "") {
    bytes.append(UInt8(ascii: "\""))
    raw(key)
    raw(suffix)
    raw("\":")
  }

  /// Nothing that we write holds a quotation mark, a backslash or a control character.
  mutating func quoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  mutating func digits(_ number: Int64) {
    bytes.append(contentsOf: String(number).utf8)
  }

  /// At least so many digits, with leading zeros.
  mutating func digits(_ number: Int, width: Int) {
    var place = 1
    for _ in 1..<width { place *= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / place % 10))
      place /= 10
    }
  }

  mutating func endMember() { needsComma = true }

  private mutating func separate() {
    if needsComma { raw(", ") }
  }
}
