import Glibc
import Subscriptions

/// Time zones from the system's tz database.
///
/// They must be read while there is one thread, because the C library has one zone for all threads.
struct TimeZones: Sendable {
  /// Zones; the first is the default.
  var all: [Zone]

  static let standardNames = ["UTC", "local", appStoreConnect]
  static let appStoreConnect = "America/Los_Angeles"

  static let standard = TimeZones(names: standardNames)

  init(names: [String]) {
    all = []
    for zone in names.compactMap(Self.named) where !all.contains(where: { $0.name == zone.name }) {
      all.append(zone)
    }
    if all.isEmpty { all = [.utc] }
  }

  static func named(_ name: String) -> Zone? {
    switch name {
    case "UTC": .utc
    case "local": local
    default: isInDatabase(name) ? read(name, as: ":\(name)") : nil
    }
  }

  /// Remembers `TZ` and sets the C library to UTC; must be called while there is one thread.
  static func takeEnvironment() { _ = variable }

  private static let variable: String? = {
    let value = Environment.filled("TZ")
    useUTC()
    return value
  }()

  /// Sets the zone to UTC in POSIX notation, so that the C library opens no file.
  private static func useUTC() {
    setenv("TZ", "UTC0", 1)
    tzset()
  }

  private static let folder = Environment.variable("TZDIR") ?? "/usr/share/zoneinfo"

  /// Whether the database has a zone; the C library treats an unknown zone as UTC.
  private static func isInDatabase(_ name: String) -> Bool {
    var status = stat()
    return !name.hasPrefix("/") && !name.contains("..") && stat("\(folder)/\(name)", &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// Zone of `TZ`, or else of `/etc/localtime`, under its name in the database if that is known.
  private static var local: Zone {
    let name = variable.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? machinesName
    let zone = name.flatMap { isInDatabase($0) ? read($0, as: ":\($0)") : nil } ?? read("local", as: variable)
    return zone.isUTC ? .utc : zone
  }

  private static var machinesName: String? {
    guard let path = realpath("/etc/localtime", nil) else { return nil }
    defer { free(path) }
    let target = String(cString: path)
    return target.firstRange(of: "zoneinfo/").map { String(target[$0.upperBound...]) }
  }

  // MARK: Offsets

  /// Years from the opening of the App Store to the farthest dates in receipts.
  private static let years: Range<Int64> = 2008..<2045

  /// Reads a zone from the C library; `value` is a value of `TZ`, or `nil` for the machine's own zone.
  private static func read(_ name: String, as value: String?) -> Zone {
    takeEnvironment()
    if let value { setenv("TZ", value, 1) } else { unsetenv("TZ") }
    tzset()
    defer { useUTC() }
    // No zone has changed twice within a week since 2008.
    let week = 7 * Milliseconds.day / Milliseconds.second
    let seconds = years.lowerBound.secondsSince1970..<years.upperBound.secondsSince1970
    var stretches = [stretch(at: seconds.lowerBound)]
    for second in stride(from: seconds.lowerBound + week, to: seconds.upperBound, by: Int(week)) {
      guard offset(at: second) != stretches.last?.offset else { continue }
      stretches.append(stretch(at: change(from: second - week, to: second)))
    }
    return Zone(name: name, stretches)
  }

  /// Returns the first second that has the offset of `later`.
  private static func change(from earlier: Int64, to later: Int64) -> Int64 {
    var (old, new) = (earlier, later)
    while new - old > 1 {
      let middle = old + (new - old) / 2
      if offset(at: middle) == offset(at: later) { new = middle } else { old = middle }
    }
    return new
  }

  private static func offset(at second: Int64) -> Int64 { stretch(at: second).offset }

  private static func stretch(at second: Int64) -> Zone.Stretch {
    var time = time_t(second)
    var local = tm()
    localtime_r(&time, &local)
    return Zone.Stretch(
      from: Instant(milliseconds: second * Milliseconds.second),
      offset: Int64(local.tm_gmtoff) * Milliseconds.second,
      abbreviation: local.tm_zone.map { String(cString: $0) } ?? "")
  }
}

extension Int64 {
  fileprivate var secondsSince1970: Int64 {
    CivilDate(year: Int(self), month: 1, day: 1).map { Int64($0.daysSince1970) * 86_400 } ?? 0
  }
}
