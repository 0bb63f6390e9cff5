import Dashboard
import Glibc
import Screen
import Subscriptions
import Sweep
import Terminal

/// The configuration file: TOML at `$XDG_CONFIG_HOME/subtop/config.toml`.
struct ConfigurationFile: Sendable {
  /// Where a shared secret lies, since the file never holds the secret itself.
  struct SecretPlace: Sendable {
    var environment: String?
    var file: String?

    var isEmpty: Bool { environment == nil && file == nil }
  }

  /// An In-App Purchase key for the Server API, which this file never holds either.
  struct KeyPlace: Sendable {
    var issuerID: String?
    var keyID: String?
    var privateKey = SecretPlace()

    var isEmpty: Bool { issuerID == nil && keyID == nil && privateKey.isEmpty }
  }

  /// What an app's customers are asked about through.
  enum Source: String, CaseIterable, Sendable {
    case verifyReceipt
    case serverAPI = "server_api"
  }

  struct App: Sendable {
    var secret = SecretPlace()
    var key = KeyPlace()
    /// Nil takes the Server API where there is a key.
    var source: Source?
    /// App Store Connect's number of the app, which what Apple signs in production has to bear.
    var appleID: Int64?
    /// When the app was in the Small Business Program.
    var smallBusinessProgram: [SmallBusinessProgram.Membership] = []
  }

  /// Where it lies, or would lie.
  let path: String
  var productionURL: String?
  var sandboxURL: String?
  var serverAPIURL: String?
  var serverAPISandboxURL: String?
  /// Trusted in place of Apple's, for what a stand-in of the App Store signs.
  var rootCertificateFile: String?
  /// The account's primary shared secret, for every app without one of its own.
  var primarySecret = SecretPlace()
  /// The team's key for the Server API, for every app without one of its own.
  var primaryKey = KeyPlace()
  var apps: [BundleID: App] = [:]
  /// In which amounts are told as well; nil is none.
  var reportingCurrency: CurrencyCode?
  var duePolicy = DuePolicy.standard
  var sweep = SweepSettings()
  var listen = ListenSettings()
  var alerts = AlertSettings()
  var keys = KeyMap.standard
  var synchronizedOutput = false
  /// What the dashboard is drawn in; nil is the terminal's own colours.
  var theme: String?
  /// Names of time zones, the first of which is shown first; nil takes the usual ones.
  private var zoneNames: [String]?

  /// As it is without a file.
  static let standard = ConfigurationFile()

  private init() { path = "a file given by --config" }

  /// A missing file is an empty one, unless it was asked for by name.
  init(path given: String?) throws(Failure) {
    if given == nil, let problem = Environment.problem(withFolderOf: "XDG_CONFIG_HOME") {
      throw Failure(.usage, problem)
    }
    guard let path = given ?? Environment.defaultConfiguration else {
      self = .standard
      return
    }
    self.path = path
    guard let table = try ConfigurationTable(file: path) else {
      guard given == nil else {
        throw Failure(
          .noInput,
          "cannot read the configuration file \(path): \(errorText(ENOENT)); pass one that is there, or leave --config out"
        )
      }
      return
    }
    try Self.scalars.read(
      table, into: &self, beside: ["apps", "due", "sweep", "listen", "alerts", "keys", "commands"])
    if let apps = try table.table("apps") {
      for bundle in apps.keys {
        guard let table = try apps.table(bundle) else { continue }
        if let problem = BlankValue.problem(bundle, "the name of a table under apps", "write a bundle id") {
          throw apps.refusedWhole(problem)
        }
        var app = App()
        try App.keys.read(table, into: &app)
        self.apps[BundleID(bundle)] = app
      }
    }
    if let due = try table.table("due") { duePolicy = try DuePolicy(due) }
    if let table = try table.table("sweep") { try SweepSettings.keys.read(table, into: &sweep) }
    if let table = try table.table("listen") { try ListenSettings.keys.read(table, into: &listen) }
    if let table = try table.table("alerts") { alerts = try AlertSettings(table) }
    if let table = try table.table("keys") { keys = try Self.keys(table) }
    if let table = try table.table("commands") { keys = try Self.commands(table, beside: keys) }
  }

  /// The table `[keys]`: a command's name and its keys, as help writes both.
  private static func keys(_ table: ConfigurationTable) throws(Failure) -> KeyMap {
    var wishes: [String: [Key]] = [:]
    for command in table.keys {
      let names = try table.texts(command) ?? []
      let keys = names.compactMap { Key(named: $0) }
      guard keys.count == names.count else {
        throw table.wrong(command, "a list of keys as `?` writes them, like [\"q\", \"^X\", \"F10\"]")
      }
      wishes[command] = keys
    }
    do throws(KeyMap.Problem) {
      return try KeyMap.standard.rebinding(wishes)
    } catch {
      throw table.refused(error.sentence)
    }
  }

  /// In the order of their bundle ids' letters.
  var sortedApps: [(key: BundleID, value: App)] { apps.sorted { $0.key.rawValue < $1.key.rawValue } }

  var ownThemes: OwnThemes { OwnThemes(beside: path) }

  var zones: TimeZones { zoneNames.map(TimeZones.init(names:)) ?? .standard }

  var smallBusinessProgram: SmallBusinessProgram {
    SmallBusinessProgram(apps.mapValues(\.smallBusinessProgram).filter { !$0.value.isEmpty })
  }
}

extension ConfigurationFile {
  /// The keys above every table.
  static let scalars: [ConfigurationKey<ConfigurationFile>] = [
    .text(
      "production_url", \.productionURL, standard: "\(SweepOptions().production)",
      "Where verifyReceipt is asked: https, or http on this machine alone."),
    .text("sandbox_url", \.sandboxURL, standard: "\(SweepOptions().sandbox)", ""),
    .text(
      "server_api_url", \.serverAPIURL, standard: "\(SweepOptions().serverAPI)",
      "Where the App Store Server API is asked, before the path; https, or http on this machine alone."),
    .text(
      "server_api_sandbox_url", \.serverAPISandboxURL, standard: "\(SweepOptions().serverAPISandbox)", ""),
    .place(
      "root_certificate_file", \.rootCertificateFile,
      "A root certificate, in PEM or DER, that signed data has to lead to in place of Apple's: for a stand-in of the App Store.",
      example: "/home/me/fake-root.pem"),
    ConfigurationKey(
      "time_zones",
      "Time zones for times on the screen, the first one first: names of the tz database, UTC, or local for this machine's. App Store Connect's reports use America/Los_Angeles."
    ) { (table, file) throws(Failure) in
      guard let names = try table.texts("time_zones") else { return }
      if let stranger = names.first(where: { TimeZones.named($0) == nil }) {
        throw table.wrong(
          "time_zones",
          "a list of names of the tz database: there is no \(printable(stranger)) on this machine")
      }
      file.zoneNames = names
    } value: {
      TOMLText.list($0.zoneNames ?? TimeZones.standardNames.filter { TimeZones.named($0) != nil })
    },
    ConfigurationKey(
      "reporting_currency",
      "Currency (ISO 4217) in which every amount is told as well, by the exchange rate of each row's purchase day: `subtop import rates` reads these. `subtop sweep`, the dashboard and `subtop status --rebuild` take the currency over into the store.",
      example: TOMLText.quoted("EUR")
    ) { (table, file) throws(Failure) in
      guard let text = try table.text("reporting_currency") else { return }
      guard let currency = CurrencyCode(iso4217: text) else {
        throw table.wrong("reporting_currency", "an ISO 4217 code like \"EUR\"")
      }
      file.reportingCurrency = currency
    } value: {
      $0.reportingCurrency.map { TOMLText.quoted($0.rawValue) }
    },
    ConfigurationKey(
      "theme",
      "What the dashboard is drawn in: \(Theme.all.map(\.name).joined(separator: ", ")), or a theme of your own, the file themes/NAME.toml beside this one; subtop help terminal. The key T takes the next one."
    ) { (table, file) throws(Failure) in
      guard let name = try table.text("theme") else { return }
      guard file.ownThemes.has(name) else {
        throw table.wrong(
          "theme",
          "the name of a theme: there is no \(printable(name)), and no file \(printable(name)).toml in \(file.ownThemes.folder)"
        )
      }
      file.theme = name
    } value: {
      TOMLText.quoted($0.theme ?? Theme.terminal.name)
    },
    .flag(
      "synchronized_output", \.synchronizedOutput,
      "Whether each frame is bracketed by private mode 2026, for terminals that know it and flicker otherwise."
    ),
    .variable(
      "shared_secret_env", \.primarySecret.environment,
      "The account's primary shared secret, for apps without one of their own. This file never holds the secret itself: name an environment variable, or a file that only you may read. SUBTOP_SHARED_SECRET comes before both.",
      example: "PRIMARY_SECRET"),
    .place("shared_secret_file", \.primarySecret.file, "", example: "/home/me/.secrets/primary"),
    .place(
      "issuer_id", \.primaryKey.issuerID, kind: "the issuer id of a key",
      "The team's In-App Purchase key for the App Store Server API, from App Store Connect (Users and Access, Integrations), for apps without one of their own: its issuer id, its own id, and the .p8 file, which only you may read. Customers of an app with a key are asked about through the Server API.",
      example: "57246542-96fe-1a63-e053-0824d011072a"),
    .place("key_id", \.primaryKey.keyID, kind: "the id of a key", "", example: "2X9R4HXF34"),
    .place(
      "private_key_file", \.primaryKey.privateKey.file, "",
      example: "/home/me/.secrets/SubscriptionKey_2X9R4HXF34.p8"),
    .variable("private_key_env", \.primaryKey.privateKey.environment, "", example: "SERVER_API_KEY"),
  ]
}

extension ConfigurationFile.App {
  /// One table an app: `[apps."com.example.app"]`.
  static let keys: [ConfigurationKey<ConfigurationFile.App>] = [
    .variable("shared_secret_env", \.secret.environment, "", example: "EXAMPLE_SECRET"),
    .place("shared_secret_file", \.secret.file, "", example: "/home/me/.secrets/example"),
    .place(
      "issuer_id", \.key.issuerID, kind: "the issuer id of a key", "",
      example: "57246542-96fe-1a63-e053-0824d011072a"),
    .place("key_id", \.key.keyID, kind: "the id of a key", "", example: "2X9R4HXF34"),
    .place(
      "private_key_file", \.key.privateKey.file, "",
      example: "/home/me/.secrets/SubscriptionKey_2X9R4HXF34.p8"),
    .variable("private_key_env", \.key.privateKey.environment, "", example: "EXAMPLE_SERVER_API_KEY"),
    ConfigurationKey(
      "source",
      "server_api or verifyReceipt: what the app's customers are asked about through. Without it the Server API, where there is a key; then receipts that hold no id are sent to verifyReceipt.",
      example: "\"verifyReceipt\""
    ) { (table, app) throws(Failure) in
      guard let text = try table.text("source") else { return }
      guard let source = ConfigurationFile.Source(rawValue: text) else {
        throw table.wrong("source", "\"server_api\" or \"verifyReceipt\"")
      }
      app.source = source
    } value: {
      $0.source.map { TOMLText.quoted($0.rawValue) }
    },
    ConfigurationKey(
      "apple_id",
      "The app's Apple ID, of App Store Connect's App Information: what Apple signs in production has to bear it.",
      example: "1234567890"
    ) { (table, app) throws(Failure) in
      app.appleID = try table.count("apple_id", 1...9_999_999_999_999).map(Int64.init)
    } value: {
      $0.appleID.map { String($0) }
    },
    ConfigurationKey(
      "small_business_program",
      "When the app was in the App Store Small Business Program, in days (UTC), the last one included; without until it still is.",
      example: "[{ from = \"2025-01-01\", until = \"2025-12-31\" }]"
    ) { (table, app) throws(Failure) in
      app.smallBusinessProgram = try memberships(table)
    } value: {
      text(of: $0.smallBusinessProgram)
    },
  ]

  private static func memberships(
    _ table: ConfigurationTable
  ) throws(Failure) -> [SmallBusinessProgram.Membership] {
    let (key, kind) = ("small_business_program", "a list of { from, until }")
    var memberships: [SmallBusinessProgram.Membership] = []
    for entry in try table.tables(key, kind) ?? [] {
      guard entry.keys.allSatisfy({ ["from", "until"].contains($0) }) else { throw table.wrong(key, kind) }
      var membership = SmallBusinessProgram.Membership()
      if let from = try day("from", of: entry) { membership.from = from }
      if let until = try day("until", of: entry) { membership.until = until + Milliseconds.day }
      memberships.append(membership)
    }
    return memberships
  }

  private static func text(of memberships: [SmallBusinessProgram.Membership]) -> String? {
    guard !memberships.isEmpty else { return nil }
    let entries = memberships.map { membership in
      let days = [
        membership.from > .distantPast ? "from = \"\(membership.from.dateText)\"" : nil,
        membership.until < .distantFuture
          ? "until = \"\((membership.until - Milliseconds.day).dateText)\"" : nil,
      ]
      return "{ " + days.compactMap(\.self).joined(separator: ", ") + " }"
    }
    return "[" + entries.joined(separator: ", ") + "]"
  }

  private static func day(_ key: String, of entry: ConfigurationTable) throws(Failure) -> Instant? {
    guard let text = try entry.text(key) else { return nil }
    guard text.count == 10, let day = Instant(parsing: text) else {
      throw entry.wrong(key, "a day like \"2025-01-31\"")
    }
    return day
  }
}
