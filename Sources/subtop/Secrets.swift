import Glibc
import Subscriptions
import Sweep

/// Finds each app's shared secret: `SUBTOP_SHARED_SECRET` first, then what the configuration names.
enum Secrets {
  static let variable = "SUBTOP_SHARED_SECRET"

  static func load(_ configuration: ConfigurationFile) throws(Failure) -> SharedSecrets {
    if let secret = Environment.variable(variable).flatMap({ SharedSecret($0) }) {
      return SharedSecrets(secret)
    }
    var secrets: [BundleID: SharedSecret] = [:]
    for (bundle, app) in configuration.apps { secrets[bundle] = try secret(of: app, bundle: bundle) }
    let known = secrets
    // A receipt whose app is not known yet can only be meant for the one app there is.
    let only = known.count == 1 ? known.values.first : nil
    return SharedSecrets { bundle in
      guard let bundle else { return only }
      return known[bundle]
    }
  }

  private static func secret(of app: ConfigurationFile.App, bundle: BundleID) throws(Failure) -> SharedSecret?
  {
    if let name = app.sharedSecretEnv {
      guard let secret = Environment.variable(name).flatMap({ SharedSecret($0) }) else {
        throw Failure(
          .configuration, "the shared secret of \(bundle) is to be in $\(name), which is empty or not set")
      }
      return secret
    }
    guard let path = app.sharedSecretFile else { return nil }
    return try read(path, bundle: bundle)
  }

  /// A file that others may read is refused: a secret that leaked is worse than a sweep that did not run.
  private static func read(_ path: String, bundle: BundleID) throws(Failure) -> SharedSecret {
    var status = stat()
    guard stat(path, &status) == 0, let bytes = InputFile.bytes(at: path) else {
      throw Failure(.configuration, "cannot read the shared secret of \(bundle) from \(path): \(errorText())")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .notPermitted, "others may read the shared secret of \(bundle) in \(path); run `chmod 600` on it")
    }
    guard let secret = SharedSecret(String(decoding: bytes, as: UTF8.self)) else {
      throw Failure(.configuration, "the file \(path) with the shared secret of \(bundle) is empty")
    }
    return secret
  }
}
