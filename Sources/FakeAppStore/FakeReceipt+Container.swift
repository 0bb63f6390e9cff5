import Subscriptions

extension FakeReceipt {
  /// The container's bytes; its base64 starts with `MI`.
  ///
  /// - Parameter padding: bytes to add, for receipts as long as those of customers of many years.
  static func container(
    _ identity: ReceiptIdentity, of subscriber: Subscriber, rows: [Transaction], padding: Int
  ) -> [UInt8] {
    let size = min(max(0, padding), 40_000)
    var unsealed = DERWriter(capacity: 5_000 + rows.count * 400 + size)
    let placeholder = [UInt8](repeating: 0, count: signatureSize)
    unsealed.signedData(signature: placeholder, padding: size) {
      $0.payload(identity, of: subscriber, rows)
    }
    var bytes = unsealed.bytes
    let start = bytes.count - signatureSize
    let seal = identity.sealed(after: bytes[..<start])
    bytes.replaceSubrange(start..., with: seal + filler.prefix(signatureSize - seal.count))
    return bytes
  }
}

extension DERWriter {
  /// *RFC 2315, SignedData*, as far as anybody looks.
  fileprivate mutating func signedData(signature: [UInt8], padding: Int, payload: (inout DERWriter) -> Void) {
    wrap(.sequence) { content in
      content.wrap(.contextZero) { explicit in
        explicit.wrap(.sequence) { signed in
          signed.wrap(.set) {
            $0.wrap(.sequence) { signer in
              signer.value(.octetString, signature)
              signer.integer(1)
            }
          }
          signed.wrap(.contextZero) { certificates in
            certificates.value(.octetString, Self.noise(padding))
            certificates.value(.octetString, FakeReceipt.filler)
          }
          signed.wrap(.sequence) { data in
            data.wrap(.contextZero) { $0.wrap(.octetString) { $0.wrap(.set, payload) } }
            data.value(.objectIdentifier, Self.data)
          }
          signed.wrap(.set) {
            $0.wrap(.sequence) { algorithm in
              algorithm.value(.null, [])
              algorithm.value(.objectIdentifier, Self.sha1)
            }
          }
          signed.integer(1)
        }
      }
      content.value(.objectIdentifier, Self.signedData)
    }
  }

  private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
  private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  private static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]

  private static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(count))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// *Receipt Fields*: the attributes that everybody reads, by their numbers there; 17 holds a purchase with its own from 1701 on.
  fileprivate mutating func payload(
    _ identity: ReceiptIdentity, of subscriber: Subscriber, _ rows: [Transaction]
  ) {
    for row in rows { attribute(17) { $0.wrap(.set) { $0.inApp(row) } } }
    attribute(19) { $0.value(.utf8String, Array("1.0".utf8)) }
    attribute(12) { $0.date(identity.issued) }
    attribute(3) { $0.value(.utf8String, Array("431".utf8)) }
    attribute(2) { $0.value(.utf8String, Array(subscriber.bundleID.rawValue.utf8)) }
    attribute(0) { $0.value(.utf8String, Array(subscriber.environment.receiptType.utf8)) }
  }

  private mutating func inApp(_ row: Transaction) {
    if let item = row.webOrderLineItemID.flatMap({ Int64($0.rawValue) }) {
      attribute(1711) { $0.integer(item) }
    }
    if let expires = row.expiresDate { attribute(1708) { $0.date(expires) } }
    attribute(1706) { $0.date(row.originalPurchaseDate ?? row.purchaseDate) }
    attribute(1705) { $0.value(.utf8String, Array(row.originalTransactionID.rawValue.utf8)) }
    attribute(1704) { $0.date(row.purchaseDate) }
    attribute(1703) { $0.value(.utf8String, Array(row.transactionID.rawValue.utf8)) }
    attribute(1702) { $0.value(.utf8String, Array(row.productID.rawValue.utf8)) }
    attribute(1701) { $0.integer(1) }
  }

  private mutating func attribute(_ type: Int64, _ value: (inout DERWriter) -> Void) {
    wrap(.sequence) { attribute in
      attribute.wrap(.octetString, value)
      attribute.integer(1)
      attribute.integer(type)
    }
  }

  private mutating func date(_ instant: Instant) {
    value(.ia5String, Array(instant.wholeSecond.iso8601.utf8))
  }
}

extension StoreEnvironment {
  var receiptType: String { self == .sandbox ? "ProductionSandbox" : "Production" }
}
