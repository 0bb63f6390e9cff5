import Glibc

/// Identity of a sweep's process, to find out whether it still runs (proc(5)).
public struct SweepProcess: Hashable, Sendable {
  /// State of a process, as far as it can be seen from here.
  public enum Standing: Hashable, Sendable {
    case alive
    case gone
    /// Process of another machine or container, which cannot be seen.
    case unknown
  }

  public var host: String
  /// Id that changes with each start of the machine.
  public var bootID: String
  /// Namespace of the process id, which a container has of its own.
  public var pidNamespace: String
  public var pid: Int32
  /// Start of the process in clock ticks since the machine's start, because process ids are reused.
  public var started: UInt64

  public init(host: String, bootID: String, pidNamespace: String, pid: Int32, started: UInt64) {
    self.host = host
    self.bootID = bootID
    self.pidNamespace = pidNamespace
    self.pid = pid
    self.started = started
  }

  /// This process. Values that the machine does not report are empty, which makes every state unknown.
  public static let current = SweepProcess(
    host: hostName, bootID: line("/proc/sys/kernel/random/boot_id"), pidNamespace: link("/proc/self/ns/pid"),
    pid: getpid(), started: stat(of: getpid())?.started ?? 0)

  /// State of the process, as seen from this one.
  public var standing: Standing {
    let here = Self.current
    guard !host.isEmpty, host == here.host, !bootID.isEmpty, !here.bootID.isEmpty else { return .unknown }
    guard bootID == here.bootID else { return .gone }
    guard !pidNamespace.isEmpty, pidNamespace == here.pidNamespace, pid > 0 else { return .unknown }
    // EPERM means that another user's process exists.
    guard kill(pid, 0) == 0 || errno == EPERM else { return .gone }
    // If /proc hides other users' processes, the same process id is enough.
    guard let found = Self.stat(of: pid) else { return .alive }
    return found.started == started && !found.isDead ? .alive : .gone
  }

  /// Reads state and start time, which follow the process name. The name may contain any character.
  private static func stat(of pid: Int32) -> (started: UInt64, isDead: Bool)? {
    let text = line("/proc/\(pid)/stat")
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst()
    guard fields.count >= 20, let state = fields.first,
      let started = UInt64(fields[fields.startIndex + 19])
    else { return nil }
    // A zombie has ended.
    return (started, state == "Z" || state == "X")
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return text(name)
  }

  private static func link(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: 256)
    return readlink(path, &target, target.count - 1) > 0 ? text(target) : ""
  }

  private static func line(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [CChar](repeating: 0, count: 1024)
    guard read(descriptor, &bytes, bytes.count - 1) > 0 else { return "" }
    return String(text(bytes).prefix { $0 != "\n" })
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
