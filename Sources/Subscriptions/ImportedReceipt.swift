/// Receipt from an app, or only the id of its customer.
public struct ImportedReceipt: Sendable {
  public enum Handle: Hashable, Sendable {
    case receipt(ReceiptData)
    case customer(CustomerID)
  }

  public var handle: Handle
  public var appUserID: AppUserID?
  /// Whether another product assigned the user to an anonymous customer. A user that the app names takes
  /// precedence.
  public var isUserProvisional = false
  public var bundleID: BundleID?

  public init(_ handle: Handle, appUserID: AppUserID? = nil, bundleID: BundleID? = nil) {
    self.handle = handle
    self.appUserID = appUserID
    self.bundleID = bundleID
  }

  public init(data: ReceiptData, appUserID: AppUserID? = nil, bundleID: BundleID? = nil) {
    self.init(.receipt(data), appUserID: appUserID, bundleID: bundleID)
  }
}

extension ImportedReceipt {
  public var data: ReceiptData? {
    if case .receipt(let data) = handle { data } else { nil }
  }

  /// Key for detecting a repeated import.
  package var fingerprint: String {
    switch handle {
    case .receipt(let data): data.fingerprint.hexadecimal
    case .customer(let id): id.fingerprint(in: bundleID)
    }
  }
}
