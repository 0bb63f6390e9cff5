import Glibc
import TestSupport

/// Running program with its output in files, which is killed with its last reference.
final class Child: Sendable {
  let pid: pid_t
  let name: String
  private let prefix: String
  private let folder: Folder?

  /// - Parameter prefix: Prefix of output paths; `nil` for a temporary folder.
  init(
    _ program: Program, _ arguments: [String], environment: [String: String] = [:],
    input: String = "/dev/null", prefix: String? = nil
  ) throws {
    folder = prefix == nil ? try Folder() : nil
    self.prefix = prefix ?? folder.map { "\($0.path)/" } ?? ""
    name = ([program.path] + arguments).joined(separator: " ")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    for (descriptor, file) in [(1, "out"), (2, "err")] as [(Int32, String)] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, self.prefix + file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    closeInherited(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    pid = try Self.spawn(program.path, arguments, environment, actions, attributes)
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String],
    _ actions: posix_spawn_file_actions_t, _ attributes: posix_spawnattr_t
  ) throws(ProgramError) -> pid_t {
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var environ = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + environ).forEach { free($0) } }
    var (pid, actions, attributes) = (pid_t(), actions, attributes)
    let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &environ)
    guard code == 0 else { throw .notStarted(path, code) }
    return pid
  }

  deinit {
    var status: Int32 = 0
    if waitpid(pid, &status, WNOHANG) == 0 {
      kill(pid, SIGKILL)
      waitpid(pid, &status, 0)
    }
  }

  var output: String { (try? File.text(prefix + "out")) ?? "" }
  var errors: String { (try? File.text(prefix + "err")) ?? "" }

  func ending() async throws -> Ending {
    try await soon("\(name) ends") {
      var status: Int32 = 0
      return waitpid(self.pid, &status, WNOHANG) == self.pid ? Ending(status) : nil
    }
  }
}

extension Child {
  func outcome() async throws -> Outcome {
    let ending = try await ending()
    return Outcome(command: name, ending: ending, output: output, errors: errors)
  }
}

/// Seconds after which a wait fails, which a slow machine must not reach.
let patience: Int64 = 900

/// Polls until a value is available, without blocking a thread.
@discardableResult
func soon<Value>(
  _ what: @autoclosure () -> String, every milliseconds: Int64 = 20, _ look: () async throws -> Value?
) async throws -> Value {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(patience)
  while true {
    let isLast = clock.now >= deadline
    if let value = try await look() { return value }
    if isLast { throw ProgramError.tooSlow(what(), seconds: patience) }
    try await Task.sleep(for: .milliseconds(milliseconds))
  }
}
