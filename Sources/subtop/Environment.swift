import Glibc
import Subscriptions
import Sweep

/// Environment of the process, and the folders that the XDG Base Directory Specification derives from it.
enum Environment {
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  static func filled(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Locale that decides which characters can be shown (setlocale(3)).
  static var locale: String? { ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(filled).first }

  /// Returns the secret in a variable, wipes its value and unsets the variable, so that no child inherits it.
  static func takeSecret(_ name: String) -> SharedSecret? {
    guard let text = getenv(name) else { return nil }
    let bytes = UnsafeMutableRawBufferPointer(start: text, count: strlen(text))
    defer {
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      unsetenv(name)
    }
    return SharedSecret(bytes)
  }

  static func variables(without names: Set<String>) -> [String] {
    var (variables, place): ([String], Int) = ([], 0)
    while let entry = environ[place] {
      let text = String(cString: entry)
      if !names.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      place += 1
    }
    return variables
  }

  static var store: String? { filled("SUBTOP_STORE") }
  /// Default path of the store; `nil` if XDG_DATA_HOME and the home directory are unknown.
  static var defaultStore: String? {
    folder("XDG_DATA_HOME", orHome: ".local/share").map { $0 + "/subtop.sqlite" }
  }
  static var defaultConfiguration: String? {
    folder("XDG_CONFIG_HOME", orHome: ".config").map { $0 + "/config.toml" }
  }
  static var stateFolder: String? { folder("XDG_STATE_HOME", orHome: ".local/state") }

  /// Returns the program's folder; ignores a relative path in the variable, as the specification requires.
  private static func folder(_ name: String, orHome below: String) -> String? {
    if let path = variable(name), path.hasPrefix("/") { return path + "/subtop" }
    return home.map { "\($0)/\(below)/subtop" }
  }

  // MARK: Home

  /// `$HOME`, or else the account's home directory, because system services and cron may not set `$HOME`.
  static let home: String? = [variable("HOME"), accountsHome].compactMap { $0 }.first(where: isHome)

  /// Whether a path may be a home directory; Debian has placeholders for accounts without a home directory.
  private static func isHome(_ path: String) -> Bool {
    path.hasPrefix("/") && path != "/" && !path.hasPrefix("/nonexistent")
  }

  private static var accountsHome: String? {
    getpwuid(geteuid()).flatMap { $0.pointee.pw_dir.map { String(cString: $0) } }
  }
}
