import Glibc
import Subscriptions
import Sweep

/// The process's environment, and the folders that the XDG Base Directory Specification derives from it.
enum Environment {
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Nil as well where it is empty.
  static func filled(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// What says which letters can be shown: setlocale(3).
  static var locale: String? { ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(filled).first }

  /// A shared secret out of the environment, which has none afterwards: where it stood is wiped, and no child inherits it.
  static func takeSecret(_ name: String) -> SharedSecret? {
    guard let text = getenv(name) else { return nil }
    let bytes = UnsafeMutableRawBufferPointer(start: text, count: strlen(text))
    defer {
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      unsetenv(name)
    }
    return SharedSecret(bytes)
  }

  /// All that a child gets, as `NAME=value`.
  static func variables(without names: Set<String>) -> [String] {
    var (variables, place): ([String], Int) = ([], 0)
    while let entry = environ[place] {
      let text = String(cString: entry)
      if !names.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      place += 1
    }
    return variables
  }

  static var store: String? { variable("SUBTOP_STORE") }
  /// Nil where there is no home directory and no variable in its place; never a folder that others share.
  static var defaultStore: String? {
    folder("XDG_DATA_HOME", orHome: ".local/share").map { $0 + "/subtop.sqlite" }
  }
  static var defaultConfiguration: String? {
    folder("XDG_CONFIG_HOME", orHome: ".config").map { $0 + "/config.toml" }
  }
  /// Where the log lies, and what the dashboard remembers.
  static var stateFolder: String? { folder("XDG_STATE_HOME", orHome: ".local/state") }

  /// What is wrong with the variable that a folder is derived from, of which there is none then; nil with any in UTF-8.
  static func problem(withFolderOf name: String) -> String? {
    let name = variable(name)?.hasPrefix("/") == true ? name : "HOME"
    return getenv(name).flatMap { GivenText.problem($0, "the variable \(name)", "set it to another folder") }
  }

  /// The specification says that a path that is not absolute is to be ignored.
  private static func folder(_ name: String, orHome below: String) -> String? {
    guard problem(withFolderOf: name) == nil else { return nil }
    if let path = variable(name), path.hasPrefix("/") { return path + "/subtop" }
    return home.map { "\($0)/\(below)/subtop" }
  }

  // MARK: Home

  /// `$HOME`, else the account's, since system services and cron may have none.
  static let home: String? = [variable("HOME"), accountsHome].compactMap { $0 }.first(where: isHome)

  /// Accounts that are to have no home have one of these, by Debian's and others' custom.
  private static func isHome(_ path: String) -> Bool {
    path.hasPrefix("/") && path != "/" && !path.hasPrefix("/nonexistent")
  }

  private static var accountsHome: String? {
    var account = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: 1 << 16)
    return text.withUnsafeMutableBufferPointer { text in
      guard let start = text.baseAddress,
        getpwuid_r(geteuid(), &account, start, text.count, &found) == 0, found != nil,
        let home = account.pw_dir
      else { return nil }
      return String(cString: home)
    }
  }
}
