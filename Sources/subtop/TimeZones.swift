import Files
import Glibc
import Subscriptions

/// Time zones, read by the C library from the system's tz database.
///
/// Must be created while the program has one thread, because the C library has one zone for all threads. It
/// opens any file that `TZ` names, even a pipe or a device. So `TZ` is only set to names of files in the
/// database.
struct TimeZones: Sendable {
  /// Zones; the first is the default.
  var all: [Zone]

  /// UTC, this machine's own, and the one that App Store Connect's reports are in.
  static let standardNames = ["UTC", "local", appStoreConnect]
  static let appStoreConnect = "America/Los_Angeles"

  static let standard = TimeZones(names: standardNames)

  /// Reads the zones that exist, without duplicates.
  init(names: [String]) {
    all = []
    for zone in names.compactMap(Self.named) where !all.contains(where: { $0.name == zone.name }) {
      all.append(zone)
    }
    if all.isEmpty { all = [.utc] }
  }

  static func named(_ name: String) -> Zone? {
    if name == "UTC" { return .utc }
    if name == "local" { return local }
    return isThere(name) ? read(name) : nil
  }

  /// Remembers `TZ` and sets the C library to UTC. Must be called while there is one thread.
  static func takeEnvironment() { _ = variable }

  private static let variable: String? = {
    let value = Environment.variable("TZ")
    useUTC()
    return value
  }()

  /// Uses POSIX notation, which opens no file.
  private static func useUTC() {
    setenv("TZ", "UTC0", 1)
    tzset()
  }

  private static let folder = Environment.variable("TZDIR") ?? "/usr/share/zoneinfo"

  /// Magic number of files in the database (tzfile(5)).
  private static let magic = Array("TZif".utf8)

  private static func isThere(_ name: String) -> Bool {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.contains("..") else { return false }
    let descriptor = open("\(folder)/\(name)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    var start: [UInt8] = [0, 0, 0, 0]
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size <= 1 << 20
      && pread(descriptor, &start, start.count, 0) == start.count && start == magic
  }

  // MARK: Zone of the machine

  private static let machines = "/etc/localtime"

  /// Zone in `TZ`, or else of `/etc/localtime`, which `TZ` may also name; `nil` if that is not a time zone.
  private static var local: Zone? {
    if let value = variable, !value.isEmpty {
      let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
      guard name == machines else { return zone(database: name) }
    }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(machines, &path, path.count - 1)
    // Without the file, tzset(3) uses UTC.
    if length < 0, errno == ENOENT { return .utc }
    let target = String(decoding: path[..<max(length, 0)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    if let range = target.firstRange(of: "zoneinfo/") {
      return zone(database: String(target[range.upperBound...]))
    }
    // A copy instead of a link, as in container images.
    let bytes = try? TrustedFile.state.bytes(at: machines)
    return bytes?.starts(with: magic) == true ? read("local", from: machines) : nil
  }

  private static func zone(database name: String) -> Zone? {
    if ["Etc/UTC", "UTC", "Etc/UCT", "Universal", "Zulu"].contains(name) { return .utc }
    return isThere(name) ? read(name) : nil
  }

  // MARK: Offsets

  /// From the opening of the App Store to the farthest dates in receipts.
  private static let years: Range<Int64> = 2008..<2045

  /// - Parameter file: File to read, if it is not in the database.
  private static func read(_ name: String, from file: String? = nil) -> Zone {
    takeEnvironment()
    setenv("TZ", ":\(file ?? name)", 1)
    tzset()
    defer { useUTC() }
    // No zone has changed twice within a week since then.
    let week = 7 * Milliseconds.day / Milliseconds.second
    let seconds = years.lowerBound.secondsSince1970..<years.upperBound.secondsSince1970
    var stretches = [stretch(at: seconds.lowerBound)]
    for second in stride(from: seconds.lowerBound + week, to: seconds.upperBound, by: Int(week)) {
      guard offset(at: second) != stretches.last?.offset else { continue }
      stretches.append(stretch(at: change(from: second - week, to: second)))
    }
    return Zone(name: name, stretches)
  }

  /// Returns the first second with the later of two offsets.
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
