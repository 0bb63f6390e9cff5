/// Base64 with the standard alphabet, straight between byte buffers.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// 0 to 63 for each byte of the alphabet, 255 for any other.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  package static func encoded(_ data: [UInt8]) -> [UInt8] {
    let size = (data.count + 2) / 3 * 4
    return [UInt8](unsafeUninitializedCapacity: size) { text, count in
      alphabet.withUnsafeBufferPointer { alphabet in
        for group in 0..<size / 4 {
          let left = data.count - group * 3
          let second = left > 1 ? data[group * 3 + 1] : 0
          let third = left > 2 ? data[group * 3 + 2] : 0
          let bits = Int(data[group * 3]) << 16 | Int(second) << 8 | Int(third)
          text[group * 4] = alphabet[bits >> 18]
          text[group * 4 + 1] = alphabet[bits >> 12 & 63]
          text[group * 4 + 2] = left > 1 ? alphabet[bits >> 6 & 63] : padding
          text[group * 4 + 3] = left > 2 ? alphabet[bits & 63] : padding
        }
      }
      count = size
    }
  }

  /// Nil for anything that is not base64 without line breaks.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    text.withContiguousStorageIfAvailable { decode($0) } ?? Array(text).withUnsafeBufferPointer { decode($0) }
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let padded = text.suffix(2).count { $0 == padding }
    let length = text.count - padded
    guard length > 0, length % 4 != 1 else { return nil }
    var invalid: UInt8 = 0
    let data = [UInt8](unsafeUninitializedCapacity: length * 3 / 4) { data, count in
      values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var waiting: UInt32 = 0
        for index in 0..<length {
          let value = values[Int(text[index])]
          invalid |= value & 0x80
          bits = bits << 6 | UInt32(value & 63)
          waiting += 6
          if waiting >= 8 {
            waiting -= 8
            data[count] = UInt8(truncatingIfNeeded: bits >> waiting)
            count += 1
          }
        }
      }
    }
    return invalid == 0 ? data : nil
  }
}
