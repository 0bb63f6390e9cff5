import Dispatch
import Glibc
import TestSupport

/// One run of a program: what it printed, and how it ended.
///
/// It reads and writes files, as a pipe could be inherited by what another test starts at the same moment.
struct Command: Sendable {
  let output: [UInt8]
  /// -1 where it could not be started or was killed.
  let exitCode: Int32

  static func run(_ words: String..., input: [UInt8] = []) async -> Command {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "command").async { continuation.resume(returning: Command(words, input)) }
    }
  }

  private init(_ words: [String], _ input: [UInt8]) {
    let folder = TemporaryFolder()
    let (given, printed) = (folder.file("input"), folder.file("output"))
    Self.write(input, to: given)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, given, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, printed, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    closeInherited(&actions)
    var arguments = words.map { strdup($0) } + [nil]
    var process: pid_t = 0
    let trouble = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    posix_spawn_file_actions_destroy(&actions)
    for argument in arguments { free(argument) }
    var end: Int32 = -1
    while trouble == 0, waitpid(process, &end, 0) < 0, errno == EINTR {}
    output = Self.read(printed)
    exitCode = trouble == 0 && end & 0x7F == 0 ? end >> 8 & 0xFF : -1
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  private static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var (all, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
  }
}
