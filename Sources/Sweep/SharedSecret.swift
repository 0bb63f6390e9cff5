/// An app's shared secret from App Store Connect. It shows itself to nobody but the body of a request.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  let bytes: SecretBytes

  /// Nil where nothing is left after trimming. Apple answers 21004 to a secret with the line break of its file,
  /// and 21002 to an empty one.
  ///
  /// The text itself stays in the caller's hands; the copy that is kept here is wiped in the end.
  public init?(_ text: String) {
    var text = text
    let bytes: SecretBytes? = text.withUTF8 { whole in
      let trimmed = Self.trim(UnsafeRawBufferPointer(whole))
      guard !trimmed.isEmpty else { return nil }
      return SecretBytes(count: trimmed.count) { $0.copyMemory(from: trimmed) }
    }
    guard let bytes else { return nil }
    self.bytes = bytes
  }

  private static func trim(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: text[first...last])
  }

  public var description: String { "shared secret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
