/// The base64 receipt that an app handed over. Personal data: it never describes itself.
public struct ReceiptData: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text that goes to Apple as `receipt-data`, without line breaks.
  public let base64: String

  /// Nil where the text is not base64.
  public init?(base64 text: String) {
    let packed = text.utf8.filter { !Self.isWhitespace($0) }
    guard !packed.isEmpty, packed.allSatisfy(Self.isBase64) else { return nil }
    base64 = String(decoding: packed, as: UTF8.self)
  }

  /// Takes text that was checked before, as when it comes back out of the store.
  public init(trusted base64: String) { self.base64 = base64 }

  public var description: String { "receipt of \(base64.utf8.count) characters" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Tells whether the same receipt was imported before, without keeping its first form.
  public var fingerprint: UInt128 {
    var hash = StableHash()
    hash.add(base64)
    return hash.value
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D, 0x2D, 0x5F: true
    default: false
    }
  }
}
