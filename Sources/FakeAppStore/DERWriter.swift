/// Writes ASN.1 DER from the end to the beginning, so that every length is known when its header is written.
struct DERWriter {
  enum Tag: UInt8 {
    case integer = 0x02
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case utf8String = 0x0C
    case ia5String = 0x16
    case sequence = 0x30
    case set = 0x31
    case contextZero = 0xA0
  }

  private var reversed: [UInt8] = []

  init(capacity: Int) { reversed.reserveCapacity(capacity) }

  var bytes: [UInt8] { reversed.reversed() }

  mutating func raw(_ bytes: some BidirectionalCollection<UInt8>) {
    reversed.append(contentsOf: bytes.reversed())
  }

  /// What the body writes, back to front, becomes the content.
  mutating func wrap(_ tag: Tag, _ body: (inout DERWriter) -> Void) {
    let end = reversed.count
    body(&self)
    header(tag, length: reversed.count - end)
  }

  mutating func value(_ tag: Tag, _ bytes: some BidirectionalCollection<UInt8>) {
    raw(bytes)
    header(tag, length: bytes.count)
  }

  mutating func integer(_ number: Int64) {
    var left = number
    let end = reversed.count
    repeat {
      reversed.append(UInt8(truncatingIfNeeded: left))
      left >>= 8
    } while left > 0
    if reversed[reversed.count - 1] >= 0x80 { reversed.append(0) }
    header(.integer, length: reversed.count - end)
  }

  private mutating func header(_ tag: Tag, length: Int) {
    if length < 0x80 {
      reversed.append(UInt8(length))
    } else {
      var left = length
      var count: UInt8 = 0
      while left > 0 {
        reversed.append(UInt8(truncatingIfNeeded: left))
        left >>= 8
        count += 1
      }
      reversed.append(0x80 | count)
    }
    reversed.append(tag.rawValue)
  }
}
