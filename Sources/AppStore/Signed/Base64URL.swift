/// Base64 with an alphabet for addresses, without padding (RFC 4648 §5).
enum Base64URL {
  /// By each byte the six bits that it stands for; 255 of one that is not of the alphabet.
  private static let values: [UInt8] = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  /// Where dots stand between what is of the alphabet; nil where anything else is there, or more than two of them.
  static func dots(in text: UnsafeBufferPointer<UInt8>) -> [Int]? {
    var dots: [Int] = []
    return values.withUnsafeBufferPointer { values in
      for (place, byte) in text.enumerated() where values[Int(byte)] == 255 {
        guard byte == UInt8(ascii: "."), dots.count < 2 else { return nil }
        dots.append(place)
      }
      return dots
    }
  }

  /// Nil of what is no base64url. Bits of the last character that belong to no byte are passed over.
  static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let rest = text.count % 4
    guard rest != 1 else { return nil }
    // Its highest bit is set by a character that is not of the alphabet.
    var union: UInt8 = 0
    let bytes = values.withUnsafeBufferPointer { values in
      [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + max(rest - 1, 0)) { bytes, count in
        func value(_ place: Int) -> UInt32 {
          let value = values[Int(text[place])]
          union |= value
          return UInt32(value & 0x3F)
        }
        var place = 0
        while place + 4 <= text.count {
          let group = value(place) << 18 | value(place + 1) << 12 | value(place + 2) << 6 | value(place + 3)
          bytes[count] = UInt8(truncatingIfNeeded: group >> 16)
          bytes[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
          bytes[count + 2] = UInt8(truncatingIfNeeded: group)
          (place, count) = (place + 4, count + 3)
        }
        guard rest > 0 else { return }
        let group = value(place) << 18 | value(place + 1) << 12 | (rest == 3 ? value(place + 2) << 6 : 0)
        bytes[count] = UInt8(truncatingIfNeeded: group >> 16)
        count += 1
        guard rest == 3 else { return }
        bytes[count] = UInt8(truncatingIfNeeded: group >> 8)
        count += 1
      }
    }
    return union & 0x80 == 0 ? bytes : nil
  }
}
