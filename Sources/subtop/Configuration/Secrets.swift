import AppStore
import CProcess
import Files
import Sharing
import Subscriptions
import Sweep
import Synchronization

/// Finds each app's shared secret: `SUBTOP_SHARED_SECRET`, or else the app's own, or else the primary secret.
enum Secrets {
  static let variable = "SUBTOP_SHARED_SECRET"

  /// Secrets removed from the environment, by variable; the dashboard needs them again for every sweep.
  private static let taken = Mutex<[String: SharedSecret]>([:])

  static func load(_ configuration: ConfigurationFile) throws(Failure) -> SharedSecrets {
    if let secret = takeAll(of: configuration) { return SharedSecrets(secret) }
    let primary = try secret(configuration.primarySecret, called: "the shared secret of every app")
    var own: [BundleID: SharedSecret] = [:]
    for (bundle, app) in configuration.apps {
      own[bundle] = try secret(app.secret, called: "the shared secret of \(printable(bundle.rawValue))")
    }
    let known = own
    // A receipt of an unknown app belongs to the configured app if there is only one.
    let only = configuration.apps.count == 1 ? known.values.first : nil
    return SharedSecrets { bundle in
      guard let bundle else { return only ?? primary }
      return known[bundle] ?? primary
    }
  }

  static func isInEnvironment(_ configuration: ConfigurationFile) -> Bool {
    takeAll(of: configuration) != nil
  }

  /// Removes all configured secrets from the environment; returns `SUBTOP_SHARED_SECRET`, if it was set.
  @discardableResult static func takeAll(of configuration: ConfigurationFile) -> SharedSecret? {
    process_forbid_dumps()
    // Unused secrets are removed, too, because child processes must not inherit them.
    for name in configuration.secretVariables {
      guard let secret = Environment.takeSecret(name) else { continue }
      taken.withLock { $0[name] = secret }
    }
    return taken.withLock { $0[variable] }
  }

  static func secret(
    _ place: ConfigurationFile.SecretPlace, called what: @autoclosure () -> String
  ) throws(Failure) -> SharedSecret? {
    if let name = place.environment {
      guard let secret = taken.withLock({ $0[name] }) else {
        throw Failure(
          .configuration, "cannot read \(what()): $\(printable(name)) is empty or not set; set it")
      }
      return secret
    }
    guard let path = place.file else { return nil }
    return try read(path, called: what())
  }

  /// Reads a secret's file; a file that other users can read is refused, because its secret may have leaked.
  private static func read(_ given: String, called what: String) throws(Failure) -> SharedSecret {
    let path = try CredentialsFolder.path(given, called: what)
    let read = SharedSecret(try TrustedFile.secret.bytes(at: path, called: what))
    guard let read else {
      throw Failure(
        .configuration, "cannot read \(what): \(path) is empty; write the secret to it, and nothing else")
    }
    guard path == given || !read.isSame(as: CredentialsFolder.absent) else {
      throw CredentialsFolder.missing(given, called: what)
    }
    guard !read.holdsNUL else {
      throw Failure(.configuration, "cannot read \(what): \(path) contains a NUL byte; rewrite it as text")
    }
    return read
  }
}

/// Files that systemd passes to a service with `LoadCredential=`, in a temporary folder: systemd.exec(5).
enum CredentialsFolder {
  private static let variable = "CREDENTIALS_DIRECTORY"
  private static let prefix = "$\(variable)/"

  static func path(_ given: String, called what: String) throws(Failure) -> String {
    guard given.hasPrefix(prefix) else { return given }
    guard let folder = Environment.variable(variable), folder.hasPrefix("/") else {
      throw Failure(
        .configuration,
        "cannot read \(what) from \(printable(given)): \(variable) is not set; systemd sets it for a service with LoadCredential=; "
          + "run this as that service, or configure the file's path")
    }
    return "\(folder)/\(given.dropFirst(prefix.count))"
  }

  /// Content that the service units provide for a missing credential, so that systemd starts the services.
  ///
  /// It is public, so it must never be accepted as a secret.
  static let absent = Array("absent".utf8)

  static func missing(_ given: String, called what: String) -> Failure {
    let name = printable(String(given.dropFirst(prefix.count)))
    return Failure(
      .configuration,
      "cannot read \(what): systemd found no file for the credential \(name); put it at the path after "
        + "LoadCredential=\(name): in `systemctl cat subtop-sweep.service`, and make it readable by root, or by you for a user service"
    )
  }
}

/// Finds each app's key for the Server API: the app's own, or else the team's.
enum ServerAPIKeys {
  /// Reads the keys; `nil` if no key is configured and no app's `source` setting requires the Server API.
  static func load(_ configuration: ConfigurationFile) throws(Failure) -> ServerAPIAccess? {
    guard configuration.hasKeys else { return nil }
    let primary = try key(configuration.primaryKey, of: "every app")
    var ways: [BundleID: ServerAPIAccess.Way] = [:]
    for (bundle, app) in configuration.apps {
      let own = try key(app.key, of: printable(bundle.rawValue))
      ways[bundle] = way(app.source, own ?? primary, bundle)
    }
    let known = ways
    // A customer without an app belongs to the configured app if there is only one.
    let only = known.count == 1 ? known.values.first : nil
    return ServerAPIAccess(verifier: try configuration.signatureVerifier()) { bundle in
      guard let bundle else { return only ?? .receipts }
      return known[bundle] ?? way(nil, primary, bundle)
    }
  }

  private static func way(
    _ source: ConfigurationFile.Source?, _ key: ServerAPIKey?, _ app: BundleID
  ) -> ServerAPIAccess.Way {
    switch (source, key) {
    case (.verifyReceipt?, _), (nil, nil): .receipts
    case (.serverAPI?, nil): .noKey
    case (_, let key?): .key(key, app: app, mayUseReceipts: source == nil)
    }
  }

  static func key(
    _ place: ConfigurationFile.KeyPlace, of owner: @autoclosure () -> String
  ) throws(Failure) -> ServerAPIKey? {
    guard !place.isEmpty else { return nil }
    let (whose, isOfReports) = (owner(), !place.prefix.isEmpty)
    let missing = [
      place.issuerID == nil ? "issuer_id" : nil, place.keyID == nil ? "key_id" : nil,
      place.privateKey.isEmpty ? "private_key_file" : nil,
    ].compactMap { $0.map { place.prefix + $0 } }
    let api = isOfReports ? "App Store Connect API" : "Server API"
    guard let issuer = place.issuerID, let id = place.keyID, missing.isEmpty else {
      throw Failure(
        .configuration,
        "the \(api) key for \(whose) lacks \(missing.joined(separator: " and ")); set what is missing, from App Store Connect under "
          + "Users and Access, Integrations, \(isOfReports ? api : "In-App Purchase")")
    }
    let what = "the \(api)'s private key for \(whose)"
    guard let text = try Secrets.secret(place.privateKey, called: what) else { return nil }
    let key = ServerAPIKey(issuerID: issuer, keyID: id, pem: text, clock: { SystemClock.now })
    guard let key else {
      throw Failure(
        .configuration,
        "cannot use \(what): it is not a P-256 private key in PEM; use the .p8 file as downloaded from App Store Connect"
      )
    }
    return key
  }
}

extension ConfigurationFile {
  func reportsDownload() throws(Failure) -> AppleReportsDownload {
    Secrets.takeAll(of: self)
    guard let vendorNumber, let key = try ServerAPIKeys.key(reportsKey, of: "reports") else {
      throw Failure(
        .configuration,
        "there is no key for Apple's reports; set reports_issuer_id, reports_key_id, reports_private_key_file and vendor_number "
          + "in \(path); `subtop help reconcile` explains them")
    }
    let endpoint = try AppStoreOptions.endpoint(nil, reportsURL, else: .appStoreConnect)
    return AppleReportsDownload(endpoint, key: key, vendor: String(vendorNumber), sweep.limits)
  }

  func sharedServer() throws(Failure) -> SharedServer {
    guard let shared else {
      throw Failure(
        .configuration,
        "no team's server is configured; set server in the table [shared] of \(path), as `subtop help team` explains"
      )
    }
    Secrets.takeAll(of: self)
    let password = try Secrets.secret(shared.password, called: "the password of [shared]")
    return SharedServer(
      connection: shared.server, password: (password?.password).map(ServerPassword.init),
      schema: shared.schema,
      part: shared.part)
  }

  var secretVariables: Set<String> {
    let places =
      [primarySecret, primaryKey.privateKey, reportsKey.privateKey] + (shared.map { [$0.password] } ?? [])
      + apps.values.flatMap { [$0.secret, $0.key.privateKey] }
    return Set(places.compactMap(\.environment) + [Secrets.variable])
  }

  var hasSecrets: Bool {
    ([primarySecret] + apps.values.map(\.secret)).contains { !$0.isEmpty }
  }

  var hasKeys: Bool {
    !primaryKey.isEmpty || apps.values.contains { !$0.key.isEmpty || $0.source == .serverAPI }
  }
}
