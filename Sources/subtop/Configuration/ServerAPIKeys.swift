import AppStore
import Subscriptions
import Sweep

/// Finds each app's key for the Server API: the app's own, then the team's.
enum ServerAPIKeys {
  /// - Returns: nil where no app has a key, and none is to be asked about through the Server API.
  static func load(_ configuration: ConfigurationFile) throws(Failure) -> ServerAPIAccess? {
    guard configuration.hasKeys else { return nil }
    let primary = try key(configuration.primaryKey, of: "every app")
    var ways: [BundleID: ServerAPIAccess.Way] = [:]
    for (bundle, app) in configuration.apps {
      let own = try key(app.key, of: printable(bundle.rawValue))
      ways[bundle] = way(app.source, own ?? primary, bundle)
    }
    let known = ways
    // What has no app of its own can only be of the one app there is.
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

  /// Nil where nothing is said of one.
  static func key(
    _ place: ConfigurationFile.KeyPlace, of owner: @autoclosure () -> String
  ) throws(Failure) -> ServerAPIKey? {
    guard !place.isEmpty else { return nil }
    let whose = owner()
    let missing = [
      place.issuerID == nil ? "issuer_id" : nil, place.keyID == nil ? "key_id" : nil,
      place.privateKey.isEmpty ? "private_key_file" : nil,
    ].compactMap(\.self)
    guard let issuer = place.issuerID, let id = place.keyID, missing.isEmpty else {
      throw Failure(
        .configuration,
        "the Server API's key of \(whose) lacks \(missing.joined(separator: " and ")); App Store Connect shows all of it under "
          + "Users and Access, Integrations, In-App Purchase")
    }
    let what = "the Server API's private key of \(whose)"
    guard let text = try Secrets.secret(place.privateKey, called: what) else { return nil }
    let key = ServerAPIKey(issuerID: issuer, keyID: id, pem: text, clock: { SystemClock.now })
    guard let key else {
      throw Failure(
        .configuration,
        "cannot use \(what): it is no private key on the curve P-256 in PEM; give the .p8 file as App Store Connect handed it out"
      )
    }
    return key
  }
}

extension ConfigurationFile {
  /// Whether there is a shared secret for any app.
  var hasSecrets: Bool {
    ([primarySecret] + apps.values.map(\.secret)).contains { !$0.isEmpty }
  }

  /// Whether any app is asked about through the Server API.
  var hasKeys: Bool {
    !primaryKey.isEmpty || apps.values.contains { !$0.key.isEmpty || $0.source == .serverAPI }
  }
}
