import AppStore
import Dashboard
import Files
import Glibc
import Screen
import Subscriptions
import Sweep
import Terminal

/// Configuration file in TOML, by default `$XDG_CONFIG_HOME/subtop/config.toml`.
struct ConfigurationFile: Sendable {
  /// Location of a secret, such as a private key; the configuration file itself never contains secrets.
  struct SecretPlace: Sendable {
    var environment: String?
    var file: String?

    var isEmpty: Bool { environment == nil && file == nil }
  }

  /// In-App Purchase key for the Server API, or team key for reports, without the private key itself.
  struct KeyPlace: Sendable {
    /// Prefix of the key's settings: `reports_` for the team key.
    var prefix = ""
    var issuerID: String?
    var keyID: String?
    var privateKey = SecretPlace()

    var isEmpty: Bool { issuerID == nil && keyID == nil && privateKey.isEmpty }
  }

  enum Source: String, CaseIterable, Sendable {
    case verifyReceipt
    case serverAPI = "server_api"
  }

  struct App: Sendable {
    var secret = SecretPlace()
    var key = KeyPlace()
    var source: Source?
    /// Apple id of the app in App Store Connect, which notifications from production must contain.
    var appleID: Int64?
    var smallBusinessProgram: [SmallBusinessProgram.Membership] = []
  }

  /// Path of the file, whether it exists or not; words for messages if no path is known.
  let path: String
  var productionURL: String?
  var sandboxURL: String?
  var serverAPIURL: String?
  var serverAPISandboxURL: String?
  var reportsURL: String?
  /// Root certificate to trust instead of Apple's, for a fake App Store.
  var rootCertificateFile: String?
  var primarySecret = SecretPlace()
  /// Team's key for the Server API, used for every app without its own key.
  var primaryKey = KeyPlace()
  var reportsKey = KeyPlace()
  var vendorNumber: Int?
  var apps: [BundleID: App] = [:]
  var reportingCurrency: CurrencyCode?
  var duePolicy = DuePolicy.standard
  var sweep = SweepOptions()
  var listen = ListenSettings()
  var alerts = AlertSettings()
  var shared: SharedSettings?
  var keys = KeyMap.standard
  var synchronizedOutput = false
  var theme: String?
  private var zoneNames: [String]?

  static let standard = ConfigurationFile()

  private init() { path = "a file given by --config" }

  init(path given: String?) throws(Failure) {
    guard let path = given ?? Environment.defaultConfiguration else {
      self = .standard
      return
    }
    self.path = path
    guard let table = try ConfigurationTable(file: path) else {
      guard given == nil else {
        throw Failure(
          .noInput,
          "cannot read the configuration file \(path): \(errorText(ENOENT)); pass an existing file, or omit --config"
        )
      }
      return
    }
    try readScalars(table)
    if let apps = try table.table("apps") {
      for bundle in apps.keys {
        guard let table = try apps.table(bundle) else { continue }
        self.apps[BundleID(bundle)] = try App(table)
      }
    }
    if let due = try table.table("due") { duePolicy = try DuePolicy(due) }
    if let table = try table.table("sweep") { sweep = try SweepOptions(table) }
    if let table = try table.table("listen") { listen = try ListenSettings(table) }
    if let table = try table.table("shared") { shared = try SharedSettings(table) }
    if let table = try table.table("alerts") { alerts = try AlertSettings(table) }
    if let table = try table.table("keys") { keys = try Self.keys(table) }
    if let table = try table.table("commands") { keys = try Self.commands(table, beside: keys) }
    try table.refuseOthers()
  }

  private mutating func readScalars(_ table: ConfigurationTable) throws(Failure) {
    productionURL = try table.text("production_url")
    sandboxURL = try table.text("sandbox_url")
    serverAPIURL = try table.text("server_api_url")
    serverAPISandboxURL = try table.text("server_api_sandbox_url")
    reportsURL = try table.text("reports_url")
    rootCertificateFile = try table.place("root_certificate_file")
    zoneNames = try table.texts("time_zones")
    // App Store Connect's zone is accepted even if the machine's tz database lacks it.
    let known = { $0 == TimeZones.appStoreConnect || TimeZones.named($0) != nil }
    if let stranger = zoneNames?.first(where: { !known($0) }) {
      throw table.wrong(
        "time_zones", "a list of tz database names: this machine has no \(printable(stranger))"
      )
    }
    if let text = try table.text("reporting_currency") {
      reportingCurrency = CurrencyCode(iso4217: text)
      if reportingCurrency == nil { throw table.wrong("reporting_currency", "an ISO 4217 code like \"EUR\"") }
    }
    theme = try table.text("theme")
    if let name = theme, !ownThemes.has(name) {
      throw table.wrong(
        "theme",
        "the name of a theme: there is no \(printable(name)), and no file \(printable(name)).toml in \(ownThemes.folder)"
      )
    }
    synchronizedOutput = try table.flag("synchronized_output") ?? synchronizedOutput
    primarySecret = try SecretPlace(table, "shared_secret")
    primaryKey = try KeyPlace(table)
    reportsKey = try KeyPlace(table, prefix: "reports_")
    vendorNumber = try table.count("vendor_number", 1...9_999_999_999_999)
  }

  /// Reads the table `[keys]`: names of commands and their keys, as in the help.
  private static func keys(_ table: ConfigurationTable) throws(Failure) -> KeyMap {
    var wishes: [String: [Key]] = [:]
    for command in table.keys {
      let names = try table.texts(command) ?? []
      let keys = names.compactMap { Key(named: $0) }
      guard keys.count == names.count else {
        throw table.wrong(command, "a list of keys as shown by `?`, like [\"q\", \"^X\", \"F10\"]")
      }
      wishes[command] = keys
    }
    do throws(CommandError) {
      return try KeyMap.standard.rebinding(wishes)
    } catch {
      throw table.refused(error.sentence)
    }
  }

  private static func commands(_ table: ConfigurationTable, beside keys: KeyMap) throws(Failure) -> KeyMap {
    var commands: [OwnCommand] = []
    for name in table.keys.sorted() {
      guard let entry = try table.table(name) else { continue }
      guard let line = try entry.text("run") else { throw entry.wrong("run", "set, but is required") }
      let key = try entry.text("key")
      try entry.refuseOthers()
      let pressed = key.flatMap { Key(named: $0) }
      guard key == nil || pressed != nil else {
        throw entry.wrong("key", "a key as shown by `?`, like \"!\" or \"F4\"")
      }
      let command: OwnCommand
      do throws(CommandError) {
        command = try OwnCommand(name: name, key: pressed, line: line)
      } catch {
        throw entry.refused(error.sentence)
      }
      commands.append(command)
    }
    do throws(CommandError) {
      return try keys.adding(commands)
    } catch {
      throw table.refused(error.sentence)
    }
  }

  var sortedApps: [(key: BundleID, value: App)] { apps.sorted { $0.key.rawValue < $1.key.rawValue } }

  var ownThemes: OwnThemes { OwnThemes(beside: path) }

  var zones: TimeZones { zoneNames.map(TimeZones.init(names:)) ?? .standard }

  var smallBusinessProgram: SmallBusinessProgram {
    SmallBusinessProgram(apps.mapValues(\.smallBusinessProgram).filter { !$0.value.isEmpty })
  }

  /// Apps whose signed data is accepted; if no app is configured, that of every app.
  var ownApps: OwnApps { OwnApps(apps.mapValues(\.appleID)) }

  func signatureVerifier() throws(Failure) -> SignatureVerifier {
    guard let file = rootCertificateFile else {
      guard let apple = Certificate.appleRoot else {
        throw Failure(
          .failed,
          "cannot verify signed data: Apple's root certificate cannot be read by this system's OpenSSL")
      }
      return SignatureVerifier(root: apple)
    }
    let what = "root_certificate_file of the configuration file \(path)"
    let bytes = try TrustedFile.certificates.bytes(at: file, called: what)
    guard let root = Certificate(file: bytes) else {
      throw Failure(
        .configuration,
        "cannot use \(what): \(file) contains no readable certificate; provide one in PEM or DER, or omit root_certificate_file to trust Apple's"
      )
    }
    return SignatureVerifier(root: root)
  }
}

extension ConfigurationFile.SecretPlace {
  init(_ table: ConfigurationTable, _ name: String) throws(Failure) {
    environment = try table.variable("\(name)_env")
    file = try table.place("\(name)_file")
  }
}

extension ConfigurationFile.KeyPlace {
  fileprivate init(_ table: ConfigurationTable, prefix: String = "") throws(Failure) {
    self.prefix = prefix
    issuerID = try table.place(prefix + "issuer_id", kind: "the issuer id of a key")
    keyID = try table.place(prefix + "key_id", kind: "the id of a key")
    privateKey = try ConfigurationFile.SecretPlace(table, prefix + "private_key")
  }
}

extension ConfigurationFile.App {
  fileprivate init(_ table: ConfigurationTable) throws(Failure) {
    secret = try ConfigurationFile.SecretPlace(table, "shared_secret")
    key = try ConfigurationFile.KeyPlace(table)
    if let text = try table.text("source") {
      source = ConfigurationFile.Source(rawValue: text)
      if source == nil { throw table.wrong("source", "\"server_api\" or \"verifyReceipt\"") }
    }
    appleID = try table.count("apple_id", 1...9_999_999_999_999).map(Int64.init)
    let (key, kind) = ("small_business_program", "a list of { from, until }")
    for entry in try table.tables(key, kind) ?? [] {
      var membership = SmallBusinessProgram.Membership()
      if let from = try Self.day("from", of: entry) { membership.from = from }
      if let until = try Self.day("until", of: entry) { membership.until = until + Milliseconds.day }
      if entry.hasOthers { throw table.wrong(key, kind) }
      smallBusinessProgram.append(membership)
    }
    try table.refuseOthers()
  }

  private static func day(_ key: String, of entry: ConfigurationTable) throws(Failure) -> Instant? {
    guard let text = try entry.text(key) else { return nil }
    guard text.count == 10, let day = Instant(parsing: text) else {
      throw entry.wrong(key, "a day like \"2025-01-31\"")
    }
    return day
  }
}

struct SharedSettings: Sendable {
  var server: String
  var password: ConfigurationFile.SecretPlace
  var schema = "subtop"
  var part = "main"

  init(_ table: ConfigurationTable) throws(Failure) {
    guard let server = try table.text("server") else {
      throw table.wrong("server", "set, but is required: a connection string of libpq")
    }
    self.server = server
    password = try ConfigurationFile.SecretPlace(table, "password")
    schema = try table.text("schema") ?? schema
    guard schema.count <= 40, schema.first?.isLetter == true,
      schema.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") })
    else { throw table.wrong("schema", "a name of up to 40 letters a to z, digits and _, like \"team_a\"") }
    part = try table.text("part") ?? part
    guard !part.isEmpty, part.count <= 40,
      part.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "\u{7F}" })
    else { throw table.wrong("part", "a name of up to 40 characters without spaces, like \"berlin\"") }
    try table.refuseOthers()
  }
}
