import Glibc
import Subscriptions

/// A program that is told something, or of which the end alone is asked for: run without a shell, with nothing to read, its output going nowhere, and ended with whatever it
/// started when its time is over.
struct QuietProgram {
  let words: [String]
  /// Milliseconds.
  let limit: Int64

  /// Runs it to its end. Blocks its thread.
  ///
  /// - Returns: what went wrong; nil where it ended with 0.
  func run() -> String? {
    var process = pid_t()
    let trouble = spawn(&process)
    guard trouble == 0 else { return "cannot be run: \(String(cString: strerror(trouble)))" }
    let deadline = SystemClock.uptime + limit
    var status: Int32 = 0
    while true {
      switch waitpid(process, &status, WNOHANG) {
      case process: return Self.words(ofStatus: status)
      case -1 where errno != EINTR: return "cannot be waited for: \(errorText())"
      default: break
      }
      guard SystemClock.uptime < deadline else { break }
      usleep(10_000)
    }
    // With what it started, which is of its group.
    kill(-process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return "took longer than \(DurationText.of(limit)), and was ended"
  }

  private func spawn(_ process: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY),
    ] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
    }
    // A listener's sockets are not closed by themselves; other threads may open some more meanwhile.
    for descriptor in STDERR_FILENO + 1...Self.highestDescriptor + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of a library that waits for signals have them blocked, and this program ignores some.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGWINCH] {
      sigaddset(&signals, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    guard let program = words.first else { return ENOENT }
    return posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
  }

  private static var highestDescriptor: Int32 {
    var highest = STDERR_FILENO
    guard let folder = opendir("/proc/self/fd") else { return 1023 }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      highest = max(highest, Int32(name) ?? 0)
    }
    return highest
  }

  private static func words(ofStatus status: Int32) -> String? {
    let signal = status & 0x7F
    guard signal == 0 else { return "was ended by signal \(signal)" }
    let code = (status >> 8) & 0xFF
    return code == 0 ? nil : "ended with \(code)"
  }
}
