import Glibc

/// The process's environment, and the folders that the XDG Base Directory Specification derives from it.
enum Environment {
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  static var defaultStore: String {
    folder("XDG_DATA_HOME", orHome: ".local/share") + "/subtop/subtop.sqlite"
  }
  static var defaultConfiguration: String {
    folder("XDG_CONFIG_HOME", orHome: ".config") + "/subtop/config.toml"
  }
  static var remembered: String {
    folder("XDG_STATE_HOME", orHome: ".local/state") + "/subtop/dashboard.json"
  }
  static var log: String { folder("XDG_STATE_HOME", orHome: ".local/state") + "/subtop/subtop.log" }

  /// The specification says that a path that is not absolute is to be ignored.
  private static func folder(_ name: String, orHome below: String) -> String {
    if let path = variable(name), path.hasPrefix("/") { return path }
    return (variable("HOME") ?? "/tmp") + "/" + below
  }
}
