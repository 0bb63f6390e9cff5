import CProcess
import Files
import Subscriptions
import Sweep
import Synchronization

/// Finds each app's shared secret: `SUBTOP_SHARED_SECRET` first, then the app's own, then the account's primary one.
enum Secrets {
  static let variable = "SUBTOP_SHARED_SECRET"

  /// What was taken out of the environment, by the variable's name: a dashboard asks for its secrets at every sweep.
  private static let taken = Mutex<[String: SharedSecret]>([:])

  static func load(_ configuration: ConfigurationFile) throws(Failure) -> SharedSecrets {
    if let secret = takeAll(of: configuration) { return SharedSecrets(secret) }
    let primary = try secret(configuration.primarySecret, called: "the shared secret of every app")
    var own: [BundleID: SharedSecret] = [:]
    for (bundle, app) in configuration.apps {
      own[bundle] = try secret(app.secret, called: "the shared secret of \(printable(bundle.rawValue))")
    }
    let known = own
    // A receipt whose app is not known yet can only be meant for the one app there is.
    let only = configuration.apps.count == 1 ? known.values.first : nil
    return SharedSecrets { bundle in
      guard let bundle else { return only ?? primary }
      return known[bundle] ?? primary
    }
  }

  /// Whether one is there that comes before all others.
  static func isInEnvironment(_ configuration: ConfigurationFile) -> Bool {
    takeAll(of: configuration) != nil
  }

  /// Takes every secret that the configuration speaks of out of the environment.
  ///
  /// - Returns: the one that comes before all others.
  private static func takeAll(of configuration: ConfigurationFile) -> SharedSecret? {
    process_forbid_dumps()
    // Those that come second to another are nobody else's to read either.
    for name in configuration.secretVariables { take(name) }
    return taken(variable)
  }

  /// - Parameter what: as a message calls it.
  static func secret(
    _ place: ConfigurationFile.SecretPlace, called what: @autoclosure () -> String
  ) throws(Failure) -> SharedSecret? {
    if let name = place.environment {
      guard let secret = taken(name) else {
        throw Failure(
          .configuration, "\(what()) is to be in $\(printable(name)), which is empty or not set")
      }
      return secret
    }
    guard let path = place.file else { return nil }
    return try read(path, called: what())
  }

  private static func take(_ name: String) {
    guard let secret = Environment.takeSecret(name) else { return }
    taken.withLock { $0[name] = secret }
  }

  private static func taken(_ name: String) -> SharedSecret? { taken.withLock { $0[name] } }

  /// A file that others may read is refused: a secret that leaked is worse than a sweep that did not run.
  private static func read(_ given: String, called what: String) throws(Failure) -> SharedSecret {
    let path = try CredentialsFolder.path(given, called: what)
    let read = SharedSecret(try TrustedFile.secret.bytes(at: path, called: what))
    guard let read else {
      throw Failure(
        .configuration, "the file \(path) with \(what) is empty; write it there, and nothing else")
    }
    guard path == given || !read.isSame(as: CredentialsFolder.absent) else {
      throw CredentialsFolder.missing(given, called: what)
    }
    guard !read.holdsNUL else {
      throw Failure(.configuration, "the file \(path) with \(what) holds a NUL; write it again, as text")
    }
    return read
  }
}

/// Files that systemd hands to a service, with `LoadCredential=`, in a folder that is there for its time alone: systemd.exec(5).
enum CredentialsFolder {
  private static let variable = "CREDENTIALS_DIRECTORY"
  private static let prefix = "$\(variable)/"

  /// The path of a file that the configuration names, which may begin with the variable; no other is read there.
  ///
  /// - Parameter what: as a message calls it.
  static func path(_ given: String, called what: String) throws(Failure) -> String {
    guard given.hasPrefix(prefix) else { return given }
    guard let folder = Environment.variable(variable), folder.hasPrefix("/") else {
      throw Failure(
        .configuration,
        "\(what) is to be in \(printable(given)), and \(variable) is not set, as systemd does for a service with LoadCredential=; "
          + "run this as that service, or name the file by its path")
    }
    return "\(folder)/\(given.dropFirst(prefix.count))"
  }

  /// What the units have systemd hand over in place of a file that is not there, since a service that lacks one of its credentials would
  /// not start. Whoever took it for a secret would let anybody in who reads the units.
  static let absent = Array("absent".utf8)

  static func missing(_ given: String, called what: String) -> Failure {
    let name = printable(String(given.dropFirst(prefix.count)))
    return Failure(
      .configuration,
      "cannot read \(what): systemd found no file for the credential \(name); put it where the service's LoadCredential=\(name):… "
        + "says, which `systemctl cat subtop-sweep.service` shows, and see that root, or you of a user's service, may read it"
    )
  }
}
