import Subscriptions

extension ReceiptData {
  /// The same as `init(base64:)`, without a copy where there is no white space to be left out, as there is none in what
  /// Apple sends.
  package init?(wire text: String) {
    let isPlain = Self.isPlain
    let isPacked = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { isPlain[Int($0)] }
    }
    if isPacked == true, !text.isEmpty { self.init(trusted: text) } else { self.init(base64: text) }
  }

  /// By byte: the characters of base64 and of its variant for URLs.
  private static let isPlain: [Bool] = (0...255).map { (byte: UInt8) in
    ReceiptData(base64: String(Unicode.Scalar(byte)))?.base64.utf8.elementsEqual([byte]) == true
  }
}
