import Glibc
import Subscriptions
import Sweep
import TOMLKit

/// The configuration file: TOML at `$XDG_CONFIG_HOME/subtop/config.toml`.
struct ConfigurationFile: Sendable {
  /// Where an app's shared secret lies, since the file never holds the secret itself; and when the app was in the Small
  /// Business Program.
  struct App: Sendable {
    var sharedSecretEnv: String?
    var sharedSecretFile: String?
    var smallBusinessProgram: [SmallBusinessProgram.Membership] = []
  }

  let path: String
  var productionURL: String?
  var sandboxURL: String?
  var apps: [BundleID: App] = [:]

  /// A missing file is an empty one, unless it was asked for by name.
  init(path given: String?) throws(Failure) {
    path = given ?? Environment.defaultConfiguration
    guard let bytes = InputFile.bytes(at: path) else {
      guard given == nil else {
        throw Failure(.noInput, "cannot read the configuration file \(path): \(errorText())")
      }
      return
    }
    let table = try Self.table(bytes, path: path)
    for key in table.keys { try take(key, of: table) }
  }

  private static func table(_ bytes: [UInt8], path: String) throws(Failure) -> TOMLTable {
    do {
      return try TOMLTable(string: String(decoding: bytes, as: UTF8.self))
    } catch let error as TOMLParseError {
      // The parser's own words may quote the file.
      throw Failure(
        .configuration,
        "the configuration file \(path) is not TOML at line \(error.source.begin.line); mend that line")
    } catch {
      throw Failure(.configuration, "the configuration file \(path) is not TOML")
    }
  }

  private mutating func take(_ key: String, of table: TOMLTable) throws(Failure) {
    switch key {
    case "production_url": productionURL = try text(table[key], named: key)
    case "sandbox_url": sandboxURL = try text(table[key], named: key)
    case "apps":
      guard let apps = table[key]?.table else { throw wrong(key, "a table of apps") }
      for bundle in apps.keys { self.apps[BundleID(bundle)] = try app(apps[bundle], bundle: bundle) }
    default:
      throw Failure(
        .configuration, "the configuration file \(path) has a key \(key) that subtop does not know")
    }
  }

  private func app(_ value: (any TOMLValueConvertible)?, bundle: String) throws(Failure) -> App {
    guard let table = value?.table else { throw wrong("apps.\(bundle)", "a table") }
    var app = App()
    for key in table.keys {
      switch key {
      case "shared_secret_env": app.sharedSecretEnv = try text(table[key], named: key)
      case "shared_secret_file": app.sharedSecretFile = try text(table[key], named: key)
      case "small_business_program": app.smallBusinessProgram = try memberships(table[key], bundle: bundle)
      default:
        throw Failure(
          .configuration,
          "the configuration file \(path) has a key \(key) under apps.\(bundle) that subtop does not know")
      }
    }
    return app
  }

  /// `[{ from = "2025-01-01", until = "2025-12-31" }]`: days in UTC, the last one included; without an end it lasts.
  private func memberships(
    _ value: (any TOMLValueConvertible)?, bundle: String
  ) throws(Failure) -> [SmallBusinessProgram.Membership] {
    let key = "apps.\(bundle).small_business_program"
    guard let entries = value?.array else { throw wrong(key, "a list of { from, until }") }
    var memberships: [SmallBusinessProgram.Membership] = []
    for entry in entries {
      guard let table = entry.table, table.keys.allSatisfy({ ["from", "until"].contains($0) }) else {
        throw wrong(key, "a list of { from, until }")
      }
      var membership = SmallBusinessProgram.Membership()
      if let from = table["from"] { membership.from = try day(from, named: key) }
      if let until = table["until"] { membership.until = try day(until, named: key) + Milliseconds.day }
      memberships.append(membership)
    }
    return memberships
  }

  private func day(_ value: any TOMLValueConvertible, named key: String) throws(Failure) -> Instant {
    guard let text = value.string, text.count == 10, let day = Instant(parsing: text) else {
      throw wrong(key, "made of days like \"2025-01-31\"")
    }
    return day
  }

  var smallBusinessProgram: SmallBusinessProgram {
    SmallBusinessProgram(apps.mapValues(\.smallBusinessProgram).filter { !$0.value.isEmpty })
  }

  private func text(_ value: (any TOMLValueConvertible)?, named key: String) throws(Failure) -> String {
    guard let text = value?.string else { throw wrong(key, "text") }
    return text
  }

  private func wrong(_ key: String, _ kind: String) -> Failure {
    Failure(.configuration, "in the configuration file \(path) \(key) is not \(kind)")
  }
}

/// What the last system call said.
func errorText() -> String { String(cString: strerror(errno)) }
