import Subscriptions

/// Source of the shared secrets for a sweep.
public struct SharedSecrets: Sendable {
  private let find: @Sendable (BundleID?) -> SharedSecret?

  /// - Parameter find: returns an app's secret. `nil` asks for a receipt whose app is unknown.
  public init(_ find: @escaping @Sendable (BundleID?) -> SharedSecret?) { self.find = find }

  public init(_ secret: SharedSecret) { self.init { _ in secret } }

  public func secret(for app: BundleID?) -> SharedSecret? { find(app) }
}
