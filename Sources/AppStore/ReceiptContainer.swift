import SwiftASN1

/// The way through *RFC 2315, SignedData* to what is signed; certificates and signatures are passed by.
///
/// Apple signs DER, Xcode BER.
struct ReceiptContainer: BERParseable {
  let payload: ArraySlice<UInt8>

  init(berEncoded node: ASN1Node) throws {
    let content = try Self.content(of: node) { signedData in
      try BER.sequence(signedData, identifier: .sequence) { fields in
        _ = (fields.next(), fields.next())  // version, digestAlgorithms
        guard let contentInfo = fields.next() else { throw Missing() }
        while fields.next() != nil {}
        return try Self.content(of: contentInfo) { try ASN1OctetString(berEncoded: $0).bytes }
      }
    }
    // Some signers wrap what they sign once more; the attributes themselves are a SET.
    payload =
      content.first == Self.octetString ? try ASN1OctetString(berEncoded: Array(content)).bytes : content
  }

  private static let octetString: UInt8 = 0x04

  init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

  /// What a ContentInfo carries after its type.
  private static func content<Value>(of node: ASN1Node, _ read: (ASN1Node) throws -> Value) throws -> Value {
    try BER.sequence(node, identifier: .sequence) { fields in
      _ = try ASN1ObjectIdentifier(berEncoded: &fields)
      return try BER.explicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific, read)
    }
  }

  private struct Missing: Error {}
}
