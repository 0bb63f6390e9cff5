import Glibc

/// Starts a system program with only its standard streams.
///
/// - Parameters:
///   - input: Descriptor for standard input; `/dev/null` if `nil`.
///   - output: Descriptor for standard output; `/dev/null` if `nil`. Standard error is always discarded.
public func startProgram(
  _ path: String, _ arguments: [String], environment: [String] = [], input: Int32? = nil,
  output: Int32? = nil
) throws(SystemProgramProblem) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (stream, own) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, nil)] {
    if let own {
      posix_spawn_file_actions_adddup2(&actions, own, stream)
    } else {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
  }
  closeInherited(&actions)
  var words = ([path] + arguments).map { strdup($0) } + [nil]
  var variables = environment.map { strdup($0) } + [nil]
  defer { for text in words + variables { free(text) } }
  var process = pid_t()
  let code = posix_spawn(&process, path, &actions, nil, &words, &variables)
  guard code == 0 else {
    throw SystemProgramProblem("\(path) could not be started: \(String(cString: strerror(code)))")
  }
  return process
}

/// Runs a system program until it exits, and throws unless it exits with 0.
public func runProgram(_ path: String, _ arguments: [String]) throws(SystemProgramProblem) {
  let process = try startProgram(path, arguments)
  var end: Int32 = 0
  while waitpid(process, &end, 0) < 0, errno == EINTR {}
  guard end == 0 else {
    throw SystemProgramProblem("\(path) \(arguments.joined(separator: " ")) ended with \(end >> 8 & 0xFF)")
  }
}

/// Error of a system program; `make test-tools` installs all programs.
public struct SystemProgramProblem: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
