/// Secrets where no one was to write one: an app-specific shared secret of App Store Connect is 32 hexadecimal digits.
extension String {
  private static let secretDigits = 32

  /// Whether it is as long and of the same digits as a shared secret.
  package var isLikeSharedSecret: Bool { utf8.count == Self.secretDigits && utf8.allSatisfy(\.isHexDigit) }

  /// For sentences and logs: with something else in place of every run of as many hexadecimal digits, or of more: a letter beside it may
  /// be one as well. Transaction ids are shorter.
  package var withoutSharedSecrets: String {
    let bytes = Array(utf8)
    var (kept, start): ([UInt8], Int) = ([], 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex { !$0.isHexDigit } ?? bytes.count
      kept += end - start >= Self.secretDigits ? Self.hidden : bytes[start..<end]
      if end < bytes.count { kept.append(bytes[end]) }
      start = end + 1
    }
    return kept.count == bytes.count && kept == bytes ? self : String(decoding: kept, as: UTF8.self)
  }

  /// Whether a part of it may be a shared secret.
  package var mayHoldSharedSecret: Bool { withoutSharedSecrets != self }

  private static let hidden = Array("(hexadecimal digits, not shown)".utf8)[...]
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
