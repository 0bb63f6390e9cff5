import Glibc
import Subscriptions
import Sweep

/// Finds each app's shared secret: `SUBTOP_SHARED_SECRET` first, then the app's own, then the account's primary one.
enum Secrets {
  static let variable = "SUBTOP_SHARED_SECRET"

  static func load(_ configuration: ConfigurationFile) throws(Failure) -> SharedSecrets {
    CoreDumps.forbid()
    if let secret = Environment.variable(variable).flatMap({ SharedSecret($0) }) {
      return SharedSecrets(secret)
    }
    let primary = try secret(configuration.primarySecret, of: "every app")
    var own: [BundleID: SharedSecret] = [:]
    for (bundle, app) in configuration.apps {
      own[bundle] = try secret(app.secret, of: printable(bundle.rawValue))
    }
    let known = own
    // A receipt whose app is not known yet can only be meant for the one app there is.
    let only = configuration.apps.count == 1 ? known.values.first : nil
    return SharedSecrets { bundle in
      guard let bundle else { return only ?? primary }
      return known[bundle] ?? primary
    }
  }

  private static func secret(
    _ place: ConfigurationFile.SecretPlace, of whose: String
  ) throws(Failure) -> SharedSecret? {
    if let name = place.environment {
      guard let secret = Environment.variable(name).flatMap({ SharedSecret($0) }) else {
        throw Failure(
          .configuration,
          "the shared secret of \(whose) is to be in $\(printable(name)), which is empty or not set")
      }
      return secret
    }
    guard let path = place.file else { return nil }
    return try read(path, of: whose)
  }

  /// A file that others may read is refused: a secret that leaked is worse than a sweep that did not run.
  private static func read(_ path: String, of whose: String) throws(Failure) -> SharedSecret {
    var status = stat()
    guard stat(path, &status) == 0, let bytes = InputFile.bytes(at: path) else {
      throw Failure(.configuration, "cannot read the shared secret of \(whose) from \(path): \(errorText())")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .notPermitted, "others may read the shared secret of \(whose) in \(path); run `chmod 600` on it")
    }
    guard let secret = SharedSecret(String(decoding: bytes, as: UTF8.self)) else {
      throw Failure(.configuration, "the file \(path) with the shared secret of \(whose) is empty")
    }
    return secret
  }
}
