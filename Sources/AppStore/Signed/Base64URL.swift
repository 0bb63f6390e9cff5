/// Base64 with the URL-safe alphabet, without padding (RFC 4648 §5).
enum Base64URL {
  /// Six bits for each byte; 255 for a byte outside the alphabet.
  private static let values: [UInt8] = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  /// Returns the places of the dots; `nil` if there are more than two, or other bytes outside the alphabet.
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

  /// Returns `nil` if the text is not base64url. Surplus bits of the last character are ignored.
  static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let rest = text.count % 4
    guard rest != 1 else { return nil }
    // A byte outside the alphabet sets the highest bit.
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
