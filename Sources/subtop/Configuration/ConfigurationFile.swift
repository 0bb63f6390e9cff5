import Dashboard
import Glibc
import Screen
import Subscriptions
import Sweep

/// The configuration file: TOML at `$XDG_CONFIG_HOME/subtop/config.toml`.
struct ConfigurationFile: Sendable {
  /// Where a shared secret lies, since the file never holds the secret itself.
  struct SecretPlace: Sendable {
    var environment: String?
    var file: String?
  }

  struct App: Sendable {
    var secret = SecretPlace()
    /// When the app was in the Small Business Program.
    var smallBusinessProgram: [SmallBusinessProgram.Membership] = []
  }

  /// Where it lies, or would lie.
  let path: String
  var productionURL: String?
  var sandboxURL: String?
  /// The account's primary shared secret, for every app without one of its own.
  var primarySecret = SecretPlace()
  var apps: [BundleID: App] = [:]
  var duePolicy = DuePolicy.standard
  var sweep = SweepSettings()
  var keys = KeyMap.standard
  var synchronizedOutput = false
  /// Names of time zones, the first of which is shown first; nil takes the usual ones.
  private var zoneNames: [String]?

  private static let keys: Set<String> = [
    "production_url", "sandbox_url", "shared_secret_env", "shared_secret_file", "apps", "due", "sweep",
    "keys", "time_zones", "synchronized_output",
  ]

  /// A missing file is an empty one, unless it was asked for by name.
  init(path given: String?) throws(Failure) {
    guard let path = given ?? Environment.defaultConfiguration else {
      path = "a file given by --config"
      return
    }
    self.path = path
    guard let table = try ConfigurationTable(file: path) else {
      guard given == nil else {
        throw Failure(
          .noInput, "cannot read the configuration file \(path): \(String(cString: strerror(ENOENT)))")
      }
      return
    }
    try table.refuseOthers(than: Self.keys)
    productionURL = try table.text("production_url")
    sandboxURL = try table.text("sandbox_url")
    primarySecret = try SecretPlace(table)
    synchronizedOutput = try table.flag("synchronized_output") ?? false
    zoneNames = try table.texts("time_zones")
    if let stranger = zoneNames?.first(where: { TimeZones.named($0) == nil }) {
      throw table.wrong(
        "time_zones", "a list of names of the tz database: there is no \(printable(stranger)) on this machine"
      )
    }
    if let apps = try table.table("apps") {
      for bundle in apps.keys {
        guard let app = try apps.table(bundle) else { continue }
        self.apps[BundleID(bundle)] = try App(app)
      }
    }
    if let due = try table.table("due") { duePolicy = try DuePolicy(due) }
    if let table = try table.table("sweep") { sweep = try SweepSettings(table) }
    if let table = try table.table("keys") { keys = try Self.keys(table) }
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

  var zones: TimeZones { zoneNames.map(TimeZones.init(names:)) ?? .standard }

  var smallBusinessProgram: SmallBusinessProgram {
    SmallBusinessProgram(apps.mapValues(\.smallBusinessProgram).filter { !$0.value.isEmpty })
  }
}

extension ConfigurationFile.SecretPlace {
  init(_ table: ConfigurationTable) throws(Failure) {
    environment = try table.text("shared_secret_env")
    file = try table.text("shared_secret_file")
  }
}

extension ConfigurationFile.App {
  init(_ table: ConfigurationTable) throws(Failure) {
    try table.refuseOthers(than: ["shared_secret_env", "shared_secret_file", "small_business_program"])
    secret = try ConfigurationFile.SecretPlace(table)
    smallBusinessProgram = try Self.memberships(table)
  }

  /// `[{ from = "2025-01-01", until = "2025-12-31" }]`: days in UTC, the last one included; without an end it lasts.
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

  private static func day(_ key: String, of entry: ConfigurationTable) throws(Failure) -> Instant? {
    guard let text = try entry.text(key) else { return nil }
    guard text.count == 10, let day = Instant(parsing: text) else {
      throw entry.wrong(key, "a day like \"2025-01-31\"")
    }
    return day
  }
}
