/// An app's shared secret from App Store Connect. It shows itself to nobody but the body of a request.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  let text: String

  /// Nil where nothing is left after trimming. Apple answers 21004 to a secret with the line break of its file,
  /// and 21002 to an empty one.
  public init?(_ text: String) {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    var bytes = Array(text.utf8)[...]
    bytes = bytes.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  public var description: String { "shared secret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
