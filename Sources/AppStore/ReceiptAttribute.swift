import SwiftASN1

/// A numbered value of a receipt: *Receipt Fields › ASN.1 Field Type*. A purchase is such a value and has such values.
struct ReceiptAttribute: BERParseable {
  let type: Int
  /// Another encoding in itself.
  let value: ArraySlice<UInt8>

  init(berEncoded node: ASN1Node) throws {
    (type, value) = try BER.sequence(node, identifier: .sequence) { fields in
      let type = try Int(berEncoded: &fields)
      _ = fields.next()  // version
      return (type, try ASN1OctetString(berEncoded: &fields).bytes)
    }
  }

  init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

  static func all(in bytes: ArraySlice<UInt8>) throws -> [ReceiptAttribute] {
    try BER.set(of: ReceiptAttribute.self, identifier: .set, rootNode: BER.parse(bytes))
  }

  var text: String {
    get throws {
      let bytes = try ASN1UTF8String(berEncoded: value).bytes
      guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUnicode() }
      return text
    }
  }

  private struct NotUnicode: Error {}
}
