/// A place in bytes that are JSON, or are not: the one thing here that touches memory by address, and never beyond its end.
struct JSONCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var place: Int

  /// - Parameter bytes: they must outlive the cursor.
  init(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// Goes past white space; the byte after it, which is not taken, or nil at the end.
  mutating func peekPastBlanks() -> UInt8? {
    while place < bytes.count {
      let byte = bytes[place]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      place += 1
    }
    return nil
  }

  /// Takes the byte that was seen last.
  mutating func advance() { if place < bytes.count { place += 1 } }

  /// Goes past a word; false where another stands there.
  mutating func take(_ word: StaticString) -> Bool {
    guard bytes.count - place >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount where bytes[place + offset] != word.utf8Start[offset] {
      return false
    }
    place += word.utf8CodeUnitCount
    return true
  }

  /// Goes past whatever numbers are made of, in whatever order: who reads a number looks closer.
  mutating func skipNumber() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        place += 1
      default: return
      }
    }
  }

  /// Goes past the rest of a text, its closing quote included; nil where that is missing.
  mutating func skipText() -> TextTraits? {
    var traits: TextTraits = []
    while let byte = skipPlain() {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return traits
      case UInt8(ascii: "\\"):
        traits.insert(.escaped)
        let start = place
        guard skipEscape() else { return nil }
        if bytes[start..<place].contains(where: { $0 < 0x20 }) { traits.insert(.control) }
      case 0x80...: traits.insert(.beyondASCII)
      default: traits.insert(.control)
      }
    }
    return nil
  }

  /// What follows a backslash. Four bytes after a `u`, whatever they are but quotes.
  private mutating func skipEscape() -> Bool {
    guard place < bytes.count else { return false }
    let byte = bytes[place]
    place += 1
    guard byte == UInt8(ascii: "u") else { return true }
    guard bytes.count - place >= 4, !bytes[place..<place + 4].contains(UInt8(ascii: "\"")) else {
      return false
    }
    place += 4
    return true
  }

  /// Goes past printable ASCII, eight bytes at a time; the first byte that is something else, or nil at the end.
  private mutating func skipPlain() -> UInt8? {
    while bytes.count - place >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let special = Self.special(in: word)
      guard special == 0 else {
        place += special.trailingZeroBitCount / 8
        return bytes[place]
      }
      place += 8
    }
    while place < bytes.count {
      let byte = bytes[place]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        return byte
      }
      place += 1
    }
    return nil
  }

  /// The high bit of the first byte that is a quote, a backslash, a control character or not ASCII; those above it mean
  /// nothing.
  private static func special(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let controls = (word &- ones &* 0x20) & ~word
    return (((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | controls | word) & highs
  }
}

/// What else than printable ASCII a text holds.
struct TextTraits: OptionSet {
  let rawValue: UInt8

  static let escaped = TextTraits(rawValue: 1)
  static let beyondASCII = TextTraits(rawValue: 2)
  /// A byte below 0x20, which may not stand there.
  static let control = TextTraits(rawValue: 4)
}
