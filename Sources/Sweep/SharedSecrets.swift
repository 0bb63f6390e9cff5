import Subscriptions

/// Where a sweep gets its shared secrets; whoever starts it knows the environment and the configuration.
public struct SharedSecrets: Sendable {
  private let find: @Sendable (BundleID?) -> SharedSecret?

  /// - Parameter find: gives the secret of an app; nil asks for that of a receipt whose app is not known yet.
  public init(_ find: @escaping @Sendable (BundleID?) -> SharedSecret?) { self.find = find }

  /// One secret for every app.
  public init(_ secret: SharedSecret) { self.init { _ in secret } }

  public func secret(for app: BundleID?) -> SharedSecret? { find(app) }
}
