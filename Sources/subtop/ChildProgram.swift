import FoundationEssentials
import Glibc
import Subscriptions
import Synchronization

/// Program that runs without a shell, and whose process group is killed when its time is up.
struct ChildProgram {
  /// Name for messages; `nil` for the program's own name.
  var name: String?
  let words: [String]
  let hidden: Set<String>
  var limit = Milliseconds.minute
  var input = ""

  struct Outcome {
    var lines: [String] = []
    var failure: String?
  }

  private struct Running {
    var names: [pid_t: String] = [:]
    var isOver = false
  }

  private static let running = Mutex(Running())
  /// Milliseconds between SIGTERM and SIGKILL.
  private static let grace: Int64 = 2000

  /// Ends running programs with their descendants, prevents new ones, and returns the programs' sorted names.
  static func endAll() -> [String] {
    func signal(_ numbers: Int32...) -> [String] {
      running.withLock { running in
        running.isOver = true
        // A stopped process receives SIGTERM only once it is continued.
        for group in running.names.keys { for number in numbers { kill(-group, number) } }
        return running.names.values.sorted()
      }
    }
    let names = signal(SIGTERM, SIGCONT)
    let deadline = SystemClock.uptime + grace
    while !names.isEmpty, SystemClock.uptime < deadline, !running.withLock(\.names.isEmpty) { usleep(10_000) }
    if !names.isEmpty { _ = signal(SIGKILL) }
    return names
  }

  /// Waits for a process, and removes it from `running` before its group's number can be reused.
  private static func reap(_ process: pid_t) -> Int32 {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return running.withLock { running in
      running.names[process] = nil
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return status
    }
  }

  /// Maximum bytes of output in the outcome; further output is discarded.
  private static let most = 16_384

  /// Blocks the thread until the program has ended and its output is closed; returns the output's beginning.
  func output() -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return Outcome(failure: "cannot be run: no pipe: \(errorText())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var process = pid_t()
    let trouble = spawn(&process, writingTo: ends[1])
    close(ends[1])
    guard trouble == 0 else { return Outcome(failure: "cannot be run: \(errorText(trouble))") }
    let (bytes, isLate) = read(ends[0], from: process)
    let status = Self.reap(process)
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    return Outcome(lines: lines, failure: isLate ? late : Self.words(ofStatus: status))
  }

  private func spawn(_ process: inout pid_t, writingTo output: Int32) -> Int32 {
    guard let program = words.first else { return ENOENT }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard let text = input.isEmpty ? fopen("/dev/null", "r") : tmpfile() else { return errno }
    defer { fclose(text) }
    fputs(input, text)
    rewind(text)
    posix_spawn_file_actions_adddup2(&actions, fileno(text), STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, output, descriptor)
    }
    // A listener's sockets are not close-on-exec, and other threads may open more sockets meanwhile.
    for descriptor in STDERR_FILENO + 1...Self.highestDescriptor + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program must not inherit signals that threads of libraries block, or that this program ignores.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The terminal's signals do not reach a separate process group, which can also be killed as a whole.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = Environment.variables(without: hidden).map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return Self.running.withLock { running in
      guard !running.isOver else { return ECANCELED }
      let trouble = posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
      if trouble == 0 { running.names[process] = name ?? program }
      return trouble
    }
  }

  private static var highestDescriptor: Int32 {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      return 1023
    }
    return names.compactMap { Int32($0) }.reduce(STDERR_FILENO, max)
  }

  private func read(_ end: Int32, from process: pid_t) -> (bytes: [UInt8], isLate: Bool) {
    let deadline = SystemClock.uptime + limit
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
      guard count > 0 else { return (bytes, !Self.ends(process, by: deadline)) }
      if bytes.count < Self.most { bytes += block.prefix(min(count, Self.most - bytes.count)) }
    }
  }

  /// Waits until a process has ended; at the deadline, kills its process group and returns `false`.
  private static func ends(_ process: pid_t, by deadline: Int64) -> Bool {
    while SystemClock.uptime < deadline {
      var info = siginfo_t()
      let isKnown = waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG) == 0
      // A parent that ignores SIGCHLD never learns how its child ended.
      if isKnown ? info.si_signo != 0 : errno != EINTR { return true }
      usleep(10_000)
    }
    kill(-process, SIGKILL)
    return false
  }

  private var late: String { "took longer than \(DurationText.of(limit)) and was killed" }

  private static func words(ofStatus status: Int32) -> String? {
    let signal = status & 0x7F
    guard signal == 0 else { return "was killed by signal \(signal)" }
    let code = (status >> 8) & 0xFF
    return code == 0 ? nil : "exited with \(code)"
  }
}
