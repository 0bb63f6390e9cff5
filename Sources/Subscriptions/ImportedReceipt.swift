/// A receipt as an app handed it over.
public struct ImportedReceipt: Sendable {
  public var data: ReceiptData
  public var appUserID: AppUserID?
  public var bundleID: BundleID?

  public init(data: ReceiptData, appUserID: AppUserID? = nil, bundleID: BundleID? = nil) {
    self.data = data
    self.appUserID = appUserID
    self.bundleID = bundleID
  }
}
