import AppStore
import Subscriptions

/// Secret from a file or the environment, such as a shared secret or private key; no description contains it.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  let bytes: SecretBytes

  /// Trims white space, because Apple rejects a secret with line breaks (21004); `nil` if nothing is left.
  public init?(_ text: some Sequence<UInt8>) {
    var text = Array(text)
    // Some editors begin a file with a byte order mark, which is not content.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return nil }
    bytes = SecretBytes(Array(text[first...last]))
  }

  public init?(_ text: String) { self.init(text.utf8) }

  package func question(about receiptData: String, excludingOldTransactions: Bool) throws -> SecretBytes {
    let password = String(decoding: bytes.bytes, as: UTF8.self)
    let request = VerifyReceiptRequest(
      receiptData: receiptData, password: password, excludeOldTransactions: excludingOldTransactions)
    return SecretBytes(try request.encoded())
  }

  /// Whether the secret equals a public text; the time of the comparison may depend on the secret.
  public func isSame(as text: [UInt8]) -> Bool { bytes.bytes == text }

  /// Whether the secret contains a NUL byte, as binary files do and Apple's secrets do not.
  public var holdsNUL: Bool { bytes.bytes.contains(0) }

  package var password: [UInt8] { bytes.bytes }

  public var description: String { "shared secret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether a notification's password equals this secret; the comparison's time does not reveal the secret.
  public func matches(_ password: NotificationPassword) -> Bool {
    var given = password.text
    return given.withUTF8 { Self.areSame(bytes.bytes, $0) }
  }

  /// Compares every byte of `given`, so that the running time does not show where the first difference is.
  package static func areSame(
    _ secret: some RandomAccessCollection<UInt8>, _ given: some RandomAccessCollection<UInt8>
  ) -> Bool {
    guard !secret.isEmpty else { return given.isEmpty }
    var difference = secret.count ^ given.count
    var place = secret.startIndex
    for byte in given {
      difference |= Int(secret[place] ^ byte)
      place = secret.index(after: place)
      if place == secret.endIndex { place = secret.startIndex }
    }
    return difference == 0
  }
}

/// Source of the shared secrets for a sweep.
public struct SharedSecrets: Sendable {
  private let find: @Sendable (BundleID?) -> SharedSecret?

  /// - Parameter find: Returns an app's secret. Its argument is `nil` for a receipt whose app is unknown.
  public init(_ find: @escaping @Sendable (BundleID?) -> SharedSecret?) { self.find = find }

  public init(_ secret: SharedSecret) { self.init { _ in secret } }

  public func secret(for app: BundleID?) -> SharedSecret? { find(app) }
}
