/// The JSON bodies that a sweep sends, written straight into memory that is wiped afterwards.
package enum RequestBody {
  /// The body of `POST verifyReceipt`: *App Store Receipts › requestBody*.
  package static func verifyReceipt(
    receiptData: String, password: SharedSecret, excludingOldTransactions: Bool
  ) -> SecretBytes {
    let old = excludingOldTransactions ? #","exclude-old-transactions":true}"# : "}"
    return password.bytes.withBytes { secret in
      var receipt = receiptData
      return receipt.withUTF8 { receipt in
        let receipt = UnsafeRawBufferPointer(receipt)
        var size = JSONWriter(nil)
        size.write(receipt, secret, old)
        return SecretBytes(count: size.count) { memory in
          var writer = JSONWriter(memory)
          writer.write(receipt, secret, old)
        }
      }
    }
  }
}

/// Writes where there is memory, and counts where there is none.
private struct JSONWriter {
  private let memory: UnsafeMutableRawBufferPointer?
  private(set) var count = 0

  init(_ memory: UnsafeMutableRawBufferPointer?) { self.memory = memory }

  mutating func write(_ receipt: UnsafeRawBufferPointer, _ secret: UnsafeRawBufferPointer, _ end: String) {
    plain(#"{"receipt-data":""#)
    escaped(receipt)
    plain(#"","password":""#)
    escaped(secret)
    plain(#"""#)
    plain(end)
  }

  private mutating func plain(_ text: String) { for byte in text.utf8 { put(byte) } }

  /// Base64 has nothing to escape, and is then copied whole.
  private mutating func escaped(_ text: UnsafeRawBufferPointer) {
    // All are looked at: without a way out of the loop, and with sums as small as a byte, many are compared at once.
    guard text.reduce(0 as UInt8, { $0 | (Self.isSpecial($1) ? 1 : 0) }) > 0 else {
      memory.map { UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: text) }
      count += text.count
      return
    }
    for byte in text {
      guard Self.isSpecial(byte) else {
        put(byte)
        continue
      }
      plain(#"\u00"#)
      put(Self.digit(byte >> 4))
      put(Self.digit(byte & 15))
    }
  }

  /// What JSON's strings cannot hold as it is: RFC 8259 §7.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private mutating func put(_ byte: UInt8) {
    memory?[count] = byte
    count += 1
  }
}
