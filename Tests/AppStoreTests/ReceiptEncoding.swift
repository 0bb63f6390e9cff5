/// Writer of receipts in Apple's format.
struct ReceiptEncoding: Sendable {
  enum Length: Sendable { case definite, padded, indefinite }

  let length: Length

  var signedDataType: [UInt8] { tlv(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]) }
  private var dataType: [UInt8] { tlv(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]) }

  func tlv(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let size = [
      UInt8(count >> 24 & 0xFF), UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF),
    ]
    switch length {
    case .padded: return [tag, 0x84] + size + content
    case .indefinite where tag & 0x20 != 0: return [tag, 0x80] + content + [0, 0]
    default: break
    }
    let short = size.drop { $0 == 0 }
    return (count < 0x80 ? [tag, UInt8(count)] : [tag, 0x80 | UInt8(short.count)] + short) + content
  }

  func attribute(number: [UInt8], _ value: [UInt8]) -> [UInt8] {
    tlv(0x30, tlv(0x02, number) + tlv(0x02, [1]) + tlv(0x04, value))
  }

  func text(_ text: String) -> [UInt8] { tlv(0x0C, Array(text.utf8)) }

  /// - Parameter purchases: Original transaction ids by transaction id.
  func payload(type: String, bundle: String, _ purchases: [String: String]) -> [UInt8] {
    let rows = purchases.flatMap { id, original in
      attribute(
        number: [17],
        tlv(
          0x31,
          attribute(number: [0x06, 0xA5], tlv(0x02, [1])) + attribute(number: [0x06, 0xA7], text(id))
            + attribute(number: [0x06, 0xA9], text(original))))
    }
    return tlv(
      0x31,
      attribute(number: [0], text(type)) + attribute(number: [2], text(bundle))
        + attribute(number: [5], [0xDE, 0xAD]) + rows)
  }

  func container(_ content: [UInt8]) -> [UInt8] {
    let inner = tlv(0x30, dataType + tlv(0xA0, content))
    let certificates = tlv(0xA0, tlv(0x30, []))
    return tlv(
      0x30,
      signedDataType
        + tlv(0xA0, tlv(0x30, tlv(0x02, [1]) + tlv(0x31, []) + inner + certificates + tlv(0x31, []))))
  }

  func receipt(type: String, bundle: String, _ purchases: [String: String]) -> [UInt8] {
    container(tlv(0x04, payload(type: type, bundle: bundle, purchases)))
  }
}
