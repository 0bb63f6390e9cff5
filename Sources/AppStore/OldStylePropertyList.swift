/// A NeXTSTEP property list, `{ "key" = "value"; … }`, as far as receipts of iOS 6 need it: strings by key.
struct OldStylePropertyList {
  private(set) var texts: [String: String] = [:]

  private static let quote = UInt8(ascii: "\"")

  /// Returns `nil` for anything else, and for a duplicate key, whose value would be ambiguous.
  init?(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    guard Self.take(UInt8(ascii: "{"), of: &rest) else { return nil }
    while !Self.take(UInt8(ascii: "}"), of: &rest) {
      guard let key = Self.text(&rest), Self.take(UInt8(ascii: "="), of: &rest),
        let value = Self.text(&rest), Self.take(UInt8(ascii: ";"), of: &rest),
        texts.updateValue(value, forKey: key) == nil
      else { return nil }
    }
    guard rest.allSatisfy(Self.isBlank) else { return nil }
  }

  private static func take<Bytes: Collection<UInt8>>(_ byte: UInt8, of rest: inout Bytes) -> Bool
  where Bytes.SubSequence == Bytes {
    rest = rest.drop(while: isBlank)
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads a quoted string or a bare word; `nil` for an escape, which no id, base64 or bundle id contains.
  private static func text<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> String?
  where Bytes.SubSequence == Bytes {
    if take(quote, of: &rest) {
      let text = rest.prefix { $0 != quote && $0 != UInt8(ascii: "\\") }
      rest = rest[text.endIndex...]
      guard take(quote, of: &rest) else { return nil }
      return String(validating: text, as: UTF8.self)
    }
    let word = rest.prefix(while: isOfWord)
    rest = rest[word.endIndex...]
    return word.isEmpty ? nil : String(validating: word, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
