import AppStore
import Subscriptions

/// Keys for the Server API and the verifier of its signed data.
public struct ServerAPIAccess: Sendable {
  private let find: @Sendable (BundleID?) -> Way
  let verifier: SignatureVerifier

  public enum Way: Sendable {
    /// With the key if there is an id to ask with, else with the receipt. `app` is the only one if none is
    /// asked for.
    case key(ServerAPIKey, app: BundleID, mayUseReceipts: Bool)
    /// With verifyReceipt only.
    case receipts
    /// With the Server API only, but no key is configured.
    case noKey
  }

  /// - Parameter find: returns the way for an app. Its argument is `nil` for a receipt whose app is unknown.
  public init(verifier: SignatureVerifier, _ find: @escaping @Sendable (BundleID?) -> Way) {
    self.verifier = verifier
    self.find = find
  }

  func way(for app: BundleID?) -> Way { find(app) }

  /// Returns `nil` if the app is not asked about through the Server API.
  public func key(for app: BundleID) -> ServerAPIKey? {
    if case .key(let key, _, _) = find(app) { key } else { nil }
  }
}
