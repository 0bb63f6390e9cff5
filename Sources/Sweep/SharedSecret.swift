import Glibc

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
    let secret = text.withUTF8 { Self(trimming: UnsafeRawBufferPointer($0)) }
    guard let secret else { return nil }
    self = secret
  }

  /// Out of memory that is wiped, whether it holds a secret or not.
  public init?(wiping text: UnsafeMutableRawBufferPointer) {
    defer { if let start = text.baseAddress { explicit_bzero(start, text.count) } }
    self.init(trimming: UnsafeRawBufferPointer(text))
  }

  /// Out of a file, without a copy of it anywhere else.
  ///
  /// - Parameters:
  ///   - size: the bytes that there may be.
  ///   - read: fills memory with them, and says how many there were.
  public init?(size: Int, read: (UnsafeMutableRawBufferPointer) -> Int) {
    var count = 0
    let whole = SecretBytes(count: size) { count = min(size, max(0, read($0))) }
    let secret = whole.withBytes { Self(trimming: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    guard let secret else { return nil }
    self = secret
  }

  private init?(trimming text: UnsafeRawBufferPointer) {
    // A byte order mark, which some editors begin a file with, is not content.
    let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let trimmed = Self.trim(UnsafeRawBufferPointer(rebasing: text[mark...]))
    guard !trimmed.isEmpty else { return nil }
    bytes = SecretBytes(count: trimmed.count) { $0.copyMemory(from: trimmed) }
  }

  private static func trim(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: text[first...last])
  }

  /// Whether it is some text that is no secret.
  public func isSame(as text: [UInt8]) -> Bool { bytes.withBytes { $0.elementsEqual(text) } }

  /// As of a file that is not text; no secret of Apple's does.
  public var holdsNUL: Bool { bytes.withBytes { $0.contains(0) } }

  public var description: String { "shared secret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
