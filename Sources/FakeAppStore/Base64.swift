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

  package static func encode(_ data: [UInt8], into text: inout [UInt8]) {
    text.reserveCapacity(text.count + (data.count + 2) / 3 * 4)
    var index = 0
    while index < data.count {
      let left = data.count - index
      let second = left > 1 ? data[index + 1] : 0
      let third = left > 2 ? data[index + 2] : 0
      let bits = Int(data[index]) << 16 | Int(second) << 8 | Int(third)
      text.append(alphabet[bits >> 18])
      text.append(alphabet[bits >> 12 & 63])
      text.append(left > 1 ? alphabet[bits >> 6 & 63] : padding)
      text.append(left > 2 ? alphabet[bits & 63] : padding)
      index += 3
    }
  }

  package static func encoded(_ data: [UInt8]) -> String {
    var text: [UInt8] = []
    encode(data, into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for anything that is not base64 without line breaks.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let body = text.reversed().drop { $0 == padding }.reversed()
    guard !body.isEmpty, text.count - body.count <= 2, body.count % 4 != 1 else { return nil }
    var data: [UInt8] = []
    data.reserveCapacity(body.count * 3 / 4)
    var bits = 0
    var count = 0
    for byte in body {
      let value = values[Int(byte)]
      guard value < 64 else { return nil }
      bits = (bits << 6 | Int(value)) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        data.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return data
  }
}
