/// The text between two quotes.
enum JSONText {
  /// Nil where it is not UTF-8, or where something in it may not stand there.
  static func read(_ bytes: ArraySlice<UInt8>, _ traits: TextTraits) -> String? {
    if traits.isEmpty { return String(decoding: bytes, as: UTF8.self) }
    if traits.contains(.control) { return nil }
    if traits.contains(.escaped) { return unescaped(bytes).flatMap { String(validating: $0, as: UTF8.self) } }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard let scalar = scalar(&rest) else { return nil }
        text.append(contentsOf: Array(String(Character(scalar)).utf8))
      default: return nil
      }
    }
    return text
  }

  /// What follows `\u`: a character of its own, or the first of the two halves of one.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let unit = unit(&rest) else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
      let other = self.unit(&rest), UTF16.isTrailSurrogate(other)
    else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(other) & 0x3FF)
  }

  private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
    guard rest.count >= 4 else { return nil }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = rest.popFirst().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
