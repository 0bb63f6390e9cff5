/// Base64 receipt from an app; its descriptions omit the content, which is personal data.
public struct ReceiptData: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Text for Apple's `receipt-data`: standard base64, padded, without line breaks.
  public let base64: String

  /// Creates the form that Apple accepts, by removing white space, adding padding and replacing the URL
  /// alphabet (RFC 4648 §5); `nil` if the text is not base64.
  public init?(base64 text: String) {
    var packed: [UInt8] = []
    packed.reserveCapacity(text.utf8.count + 2)
    var isPadded = false
    for byte in text.utf8 where byte != 0x20 && !(0x09...0x0D).contains(byte) {
      if byte == Self.padding {
        isPadded = true
      } else if let standard = Self.standard(byte), !isPadded {
        packed.append(standard)
      } else {
        return nil
      }
    }
    guard !packed.isEmpty, packed.count % 4 != 1 else { return nil }
    packed += repeatElement(Self.padding, count: (4 - packed.count % 4) % 4)
    base64 = String(decoding: packed, as: UTF8.self)
  }

  /// - Parameter base64: Text that was checked before, such as text from the store.
  public init(trusted base64: String) { self.base64 = base64 }

  public var description: String { "receipt of \(base64.utf8.count) characters" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Key for detecting a repeated import.
  public var fingerprint: UInt128 {
    var hash = StableHash()
    hash.add(base64)
    return hash.value
  }

  private static let padding = UInt8(ascii: "=")

  private static func standard(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: nil
    }
  }
}

/// Receipt from an app, or only the id of its customer.
public struct ImportedReceipt: Sendable {
  public enum Handle: Hashable, Sendable {
    case receipt(ReceiptData)
    case customer(CustomerID)
  }

  public var handle: Handle
  public var appUserID: AppUserID?
  /// Whether a subscription service made `appUserID` for an anonymous customer; the app's own id replaces it.
  public var isUserProvisional = false
  public var bundleID: BundleID?

  public init(_ handle: Handle, appUserID: AppUserID? = nil, bundleID: BundleID? = nil) {
    (self.handle, self.appUserID, self.bundleID) = (handle, appUserID, bundleID)
  }

  public init(data: ReceiptData, appUserID: AppUserID? = nil, bundleID: BundleID? = nil) {
    self.init(.receipt(data), appUserID: appUserID, bundleID: bundleID)
  }

  public var data: ReceiptData? { if case .receipt(let data) = handle { data } else { nil } }

  package var fingerprint: String {
    switch handle {
    case .receipt(let data): data.fingerprint.hexadecimal
    case .customer(let id): id.fingerprint(in: bundleID)
    }
  }
}
