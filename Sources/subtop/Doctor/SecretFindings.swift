import Subscriptions
import Sweep

/// Shared secrets and keys: whether they are there and well kept. What they are is never said.
enum SecretFindings {
  static func of(_ configuration: ConfigurationFile) -> [Finding] {
    let environment = Secrets.isInEnvironment(configuration) ? [inEnvironment] : []
    let primary = place("every app", configuration.primarySecret, configuration.primaryKey)
    let apps = configuration.apps.sorted { $0.key.rawValue < $1.key.rawValue }
    let own = apps.flatMap { bundle, app in place(printable(bundle.rawValue), app.secret, app.key) }
    let hasPrimary = !environment.isEmpty || !primary.isEmpty
    let without = hasPrimary ? [] : apps.filter { place("", $0.value.secret, $0.value.key).isEmpty }
    let missing = without.map { bundle, _ in
      let name = printable(bundle.rawValue)
      return Finding.problem(
        name, .configuration,
        "there is neither a key nor a shared secret for \(name): subtop help secrets")
    }
    guard hasPrimary || !apps.isEmpty else {
      return [
        .problem(
          "secrets", .configuration,
          "there is neither a key for the Server API nor a shared secret, so nobody can be asked about: name one in "
            + "\(configuration.path), as subtop help secrets says")
      ]
    }
    return environment + primary + own + missing
  }

  private static let inEnvironment = Finding.ok(
    "every app", "the shared secret is in $\(Secrets.variable), which comes before all others")

  private static func place(
    _ whose: String, _ secret: ConfigurationFile.SecretPlace, _ key: ConfigurationFile.KeyPlace
  ) -> [Finding] {
    var findings: [Finding] = []
    if let place = secret.place {
      findings.append(
        .of(whose) { () throws(Failure) in
          _ = try Secrets.secret(secret, called: "the shared secret of \(whose)")
          return .ok(whose, "the shared secret is in \(place)")
        })
    }
    if !key.isEmpty {
      findings.append(
        .of(whose) { () throws(Failure) in
          _ = try ServerAPIKeys.key(key, of: whose)
          let id = key.keyID.map { " \(printable($0))" } ?? ""
          return .ok(whose, "the key\(id) of the Server API is in \(key.privateKey.place ?? "its place")")
        })
    }
    return findings
  }
}

extension ConfigurationFile.SecretPlace {
  /// For people; nil where nothing is said of one.
  fileprivate var place: String? { environment.map { "$\(printable($0))" } ?? file }
}
