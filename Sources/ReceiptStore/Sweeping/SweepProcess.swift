import Glibc

/// The process that a sweep runs in, by which others tell whether it is still there: proc(5).
public struct SweepProcess: Hashable, Sendable {
  /// Whether the process is there, as far as that can be seen from here.
  public enum Standing: Hashable, Sendable {
    case alive
    case gone
    /// It is of another machine or container, whose processes cannot be seen.
    case unknown
  }

  /// The machine's name.
  public var host: String
  /// Another after each start of the machine.
  public var bootID: String
  /// Process ids of another namespace, as a container's, are another's.
  public var pidNamespace: String
  public var pid: Int32
  /// Clock ticks from the machine's start to the process's: a process id is given again.
  public var started: UInt64

  public init(host: String, bootID: String, pidNamespace: String, pid: Int32, started: UInt64) {
    self.host = host
    self.bootID = bootID
    self.pidNamespace = pidNamespace
    self.pid = pid
    self.started = started
  }

  /// This process. What the machine does not tell is empty, and then nobody's standing is known.
  public static let current = SweepProcess(
    host: hostName, bootID: line("/proc/sys/kernel/random/boot_id"), pidNamespace: link("/proc/self/ns/pid"),
    pid: getpid(), started: stat(of: getpid())?.started ?? 0)

  /// As this process sees it.
  public var standing: Standing {
    let here = Self.current
    guard !host.isEmpty, host == here.host, !bootID.isEmpty, !here.bootID.isEmpty else { return .unknown }
    // The machine has been started again since.
    guard bootID == here.bootID else { return .gone }
    guard !pidNamespace.isEmpty, pidNamespace == here.pidNamespace, pid > 0 else { return .unknown }
    // Another user's process may not be signalled, and is there all the same.
    guard kill(pid, 0) == 0 || errno == EPERM else { return .gone }
    // Where /proc hides other users' processes, one with this number has to do.
    guard let found = Self.stat(of: pid) else { return .alive }
    return found.started == started && !found.isDead ? .alive : .gone
  }

  /// The state and the start of a process, which stand behind its name; that may hold anything.
  private static func stat(of pid: Int32) -> (started: UInt64, isDead: Bool)? {
    let text = line("/proc/\(pid)/stat")
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst()
    guard fields.count >= 20, let state = fields.first,
      let started = UInt64(fields[fields.startIndex + 19])
    else { return nil }
    // A zombie has ended, and only waits for its parent to notice.
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
