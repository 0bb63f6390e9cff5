/// Detects shared secrets, which are 32 hexadecimal digits, and private keys in base64.
extension String {
  private static let secretDigits = 32

  /// Text for logs: 32 or more hexadecimal digits (ids are shorter) and possible private keys are replaced.
  package var withoutSecrets: String {
    let bytes = Array(utf8)
    let kept = Self.replacing(
      Self.replacing(bytes, Self.hiddenKey, in: \.isBase64Digit, where: Self.mayBeKey), Self.hiddenDigits,
      in: \.isHexDigit
    ) { $0.count >= Self.secretDigits }
    return kept == bytes ? self : String(decoding: kept, as: UTF8.self)
  }

  package var mayHoldSecret: Bool { withoutSecrets != self }

  package var isLikeSecret: Bool {
    let bytes = Array(utf8)
    return (bytes.count == Self.secretDigits && bytes.allSatisfy(\.isHexDigit)) || contains("PRIVATE KEY-")
      || (bytes.first != UInt8(ascii: "/") && bytes.allSatisfy(\.isBase64Digit) && Self.mayBeKey(bytes[...]))
  }

  /// Whether the text contains the beginning of a P-256 key (PKCS #8 or SEC 1), or is as long as a line of
  /// PEM and has a part that is unlikely in a path.
  private static func mayBeKey(_ run: ArraySlice<UInt8>) -> Bool {
    if keyBeginnings.contains(where: { run.firstIndex(of: $0) != nil }) { return true }
    guard run.count >= lineOfPEM else { return false }
    return run.split(separator: UInt8(ascii: "/")).contains { part in
      part.count >= 24 && part.contains { $0.isHexDigit && $0 <= UInt8(ascii: "9") }
        && part.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        && part.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
  }

  private static func replacing(
    _ bytes: [UInt8], _ hidden: [UInt8], in isDigit: (UInt8) -> Bool,
    where isSecret: (ArraySlice<UInt8>) -> Bool
  ) -> [UInt8] {
    var (kept, start): ([UInt8], Int) = ([], 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
      kept += isSecret(bytes[start..<end]) ? hidden[...] : bytes[start..<end]
      if end < bytes.count { kept.append(bytes[end]) }
      start = end + 1
    }
    return kept
  }

  private static let lineOfPEM = 60
  /// Base64 of a key's first bytes: the DER sequence, its version, and the algorithm or the scalar's octets.
  private static let keyBeginnings = ["MIGHAgEAMBMG", "MHcCAQEEI"].map { Array($0.utf8) }
  private static let hiddenDigits = Array("(hexadecimal digits, not shown)".utf8)
  private static let hiddenKey = Array("(base64, not shown)".utf8)
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }

  fileprivate var isBase64Digit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
      || [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains(self)
  }
}
