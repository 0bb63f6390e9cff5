import Glibc

/// A program of somebody's own, run without a shell: what it writes is kept, and it ends within a minute.
struct OwnProgram {
  let arguments: [String]
  /// Variables of the environment that it does not inherit.
  let hidden: Set<String>

  struct Outcome {
    var lines: [String] = []
    /// In a few words; nil where it ended with 0.
    var failure: String?
  }

  /// Bytes of what it writes that are kept, and milliseconds that it may take.
  private static let most = 16_384
  private static let time: Int64 = 60_000

  func run() -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return Outcome(failure: "has no pipe: \(errorText())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var process = pid_t()
    let code = spawn(&process, writingTo: ends[1])
    close(ends[1])
    guard code == 0 else {
      return Outcome(failure: "cannot be run: \(String(cString: strerror(code)))")
    }
    let (bytes, isLate) = read(ends[0], from: process)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    return Outcome(lines: lines, failure: isLate ? "was ended after a minute" : Self.failure(status))
  }

  /// - Returns: an error number.
  private func spawn(_ process: inout pid_t, writingTo end: Int32) -> Int32 {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&files, end, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&files, end, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: neither the terminal's keys nor its size are its affair, and all of it can be ended.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let variables = Environment.variables(without: hidden).map { strdup($0) } + [nil]
    defer { for variable in variables { free(variable) } }
    return posix_spawnp(&process, arguments[0], &files, &attributes, words, variables)
  }

  /// Until it has closed what it writes to, or its time is over.
  private func read(_ end: Int32, from process: pid_t) -> (bytes: [UInt8], isLate: Bool) {
    let deadline = SystemClock.uptime + Self.time
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      var polled = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      let left = deadline - SystemClock.uptime
      guard left > 0 else {
        kill(-process, SIGKILL)
        return (bytes, true)
      }
      guard poll(&polled, 1, Int32(clamping: left)) > 0 else { continue }
      let count = Glibc.read(end, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (bytes, false) }
      if bytes.count < Self.most { bytes += block.prefix(min(count, Self.most - bytes.count)) }
    }
  }

  private static func failure(_ status: Int32) -> String? {
    let signal = status & 0x7F
    if signal != 0 { return "was ended by signal \(signal)" }
    let code = (status >> 8) & 0xFF
    return code == 0 ? nil : "ended with \(code)"
  }
}
