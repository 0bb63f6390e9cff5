import AppStore
import Subscriptions

/// Where a sweep gets its keys for the Server API, and whom it believes signed data of.
public struct ServerAPIAccess: Sendable {
  private let find: @Sendable (BundleID?) -> Way
  let verifier: SignatureVerifier

  /// How the customers of an app are asked about.
  public enum Way: Sendable {
    /// With a key where there is an id to ask with, else with the receipt. The app is the one that was asked for, or the only one.
    case key(ServerAPIKey, app: BundleID, mayUseReceipts: Bool)
    /// With receipts alone.
    case receipts
    /// Through the Server API alone, of which there is no key.
    case noKey
  }

  /// - Parameter find: nil asks about a receipt whose app is not known yet.
  public init(verifier: SignatureVerifier, _ find: @escaping @Sendable (BundleID?) -> Way) {
    self.verifier = verifier
    self.find = find
  }

  func way(for app: BundleID?) -> Way { find(app) }

  /// Nil where the app is not asked about through the Server API.
  public func key(for app: BundleID) -> ServerAPIKey? {
    if case .key(let key, _, _) = find(app) { key } else { nil }
  }
}
