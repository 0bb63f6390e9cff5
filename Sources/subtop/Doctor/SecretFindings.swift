import Dashboard
import ReceiptStore
import Subscriptions
import Sweep

/// Checks whether shared secrets and keys exist and are protected; findings never contain them.
enum SecretFindings {
  static func of(
    _ configuration: ConfigurationFile, _ contents: [AskableContents], online: Bool
  ) -> [Finding] {
    secrets(configuration) + sources(configuration) + idsAlone(configuration, contents)
      + reports(configuration, online: online)
  }

  /// Returns the finding about the optional key for Apple's reports; if `online`, requests a report, too.
  private static func reports(_ configuration: ConfigurationFile, online: Bool) -> [Finding] {
    let place = configuration.reportsKey
    guard !place.isEmpty || configuration.vendorNumber != nil else { return [] }
    let finding = Finding.of("reports") {
      let download = try configuration.reportsDownload()
      let day = CivilDate(daysSince1970: PacificTime.day(of: SystemClock.now).daysSince1970 - 2)
      let report = AppleReport(kind: .sales, vendor: download.vendor, from: day, through: day)
      if online { _ = try download.answer(report) }
      return .ok(
        "reports",
        "the App Store Connect key for vendor \(download.vendor) is \(place.privateKey.whereabouts)"
          + (online ? ", and App Store Connect accepts the key and the vendor number" : ""))
    }
    return [finding]
  }

  private static func sources(_ configuration: ConfigurationFile) -> [Finding] {
    configuration.sortedApps.filter { $1.source == .serverAPI && !configuration.hasKey(for: $0) }.map {
      bundle, _ in
      let name = printable(bundle.rawValue)
      return .problem(
        name, .configuration,
        "\(name) has source = \"server_api\" but no key, so its customers are not checked; set issuer_id, key_id and "
          + "private_key_file: subtop help secrets")
    }
  }

  /// Returns a finding for each app that has customers known only by an id, but no Server API key.
  private static func idsAlone(
    _ configuration: ConfigurationFile, _ contents: [AskableContents]
  ) -> [Finding] {
    contents.filter { $0.idsAlone > 0 && !configuration.hasKey(for: $0.bundleID) }.map { app in
      let name = app.bundleID.map { printable($0.rawValue) } ?? "every app"
      let customers = CountText.of(app.idsAlone, "customer is", "customers are")
      let says =
        app.bundleID == nil && configuration.hasKeys && configuration.apps.count != 1
        ? "\(customers) known only by an id, without an app, so no key applies; import the ids again with --bundle"
        : "\(customers) known only by an id, so checks need a Server API key; a shared secret "
          + "is not enough; set issuer_id, key_id and private_key_file: subtop help secrets"
      return contents.hasReceipt(of: app.bundleID)
        ? .warning(name, says) : .problem(name, .configuration, says)
    }
  }

  private static func secrets(_ configuration: ConfigurationFile) -> [Finding] {
    let environment = Secrets.isInEnvironment(configuration) ? [inEnvironment] : []
    let primary = place("every app", configuration.primarySecret, configuration.primaryKey)
    let apps = configuration.sortedApps
    let own = apps.flatMap { bundle, app in place(printable(bundle.rawValue), app.secret, app.key) }
    let hasPrimary = !environment.isEmpty || !primary.isEmpty
    let without = hasPrimary ? [] : apps.filter { place("", $0.value.secret, $0.value.key).isEmpty }
    let missing = without.map { bundle, _ in
      let name = printable(bundle.rawValue)
      return Finding.problem(
        name, .configuration,
        "no key and no shared secret for \(name): subtop help secrets")
    }
    guard hasPrimary || !apps.isEmpty else {
      return [
        .problem(
          "secrets", .configuration,
          "no App Store credentials: set private_key_file or shared_secret_file in "
            + "\(configuration.path): subtop help secrets")
      ]
    }
    return environment + primary + own + missing
  }

  private static let inEnvironment = Finding.ok(
    "every app", "the shared secret is in $\(Secrets.variable), which overrides all others")

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
          return .ok(whose, "the Server API key\(id) is \(key.privateKey.whereabouts)")
        })
    }
    return findings
  }
}

extension ConfigurationFile {
  /// Whether an app uses a Server API key; if only one app is configured, `nil` (unknown) means that app.
  fileprivate func hasKey(for app: BundleID?) -> Bool {
    guard let app = app ?? (apps.count == 1 ? apps.keys.first : nil) else { return false }
    guard apps[app]?.source != .verifyReceipt else { return false }
    return !primaryKey.isEmpty || apps[app]?.key.isEmpty == false
  }
}

extension ConfigurationFile.SecretPlace {
  fileprivate var place: String? { environment.map { "$\(printable($0))" } ?? file }

  /// Place in words, such as `in FILE` or `in $VARIABLE`.
  fileprivate var whereabouts: String { place.map { "in \($0)" } ?? "set" }
}
