/// A receipt as an app handed it over, or an id by which its customer can be asked about instead.
public struct ImportedReceipt: Sendable {
  /// What the App Store is asked with.
  public enum Handle: Hashable, Sendable {
    case receipt(ReceiptData)
    case customer(CustomerID)
  }

  public var handle: Handle
  public var appUserID: AppUserID?
  /// Whether the user is no more than what another product called a customer whom the app had not named: one that the app names later,
  /// or named already, comes before it.
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
  /// The receipt itself; nil where there is an id alone.
  public var data: ReceiptData? {
    if case .receipt(let data) = handle { data } else { nil }
  }

  /// Tells whether the same was imported before.
  package var fingerprint: String {
    switch handle {
    case .receipt(let data): data.fingerprint.hexadecimal
    case .customer(let id): id.fingerprint(in: bundleID)
    }
  }
}
