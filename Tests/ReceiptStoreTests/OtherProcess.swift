import Glibc
import Testing

/// Process of the `sqlite3` shell that keeps a store open and reads it, as a dashboard does.
final class OtherProcess {
  private let pid: pid_t
  private let input: Int32

  static let isThere = access("/usr/bin/sqlite3", X_OK) == 0

  init(reading path: String) throws {
    var (toShell, fromShell): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    try #require(pipe(&toShell) == 0 && pipe(&fromShell) == 0)
    for end in toShell + fromShell { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toShell[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromShell[1], 1)
    let words: [String] = ["sqlite3", path]
    var argv = words.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var pid = pid_t()
    try #require(posix_spawn(&pid, "/usr/bin/sqlite3", &actions, nil, &argv, nil) == 0)
    (self.pid, input) = (pid, toShell[1])
    close(toShell[0])
    close(fromShell[1])
    defer { close(fromShell[0]) }
    let question = Array("SELECT count(*) FROM receipts;\n".utf8)
    try #require(write(input, question, question.count) == question.count)
    var byte: UInt8 = 0
    try #require(read(fromShell[0], &byte, 1) == 1, "it has read the store")
  }

  func end() {
    // Another child may have inherited the pipe, so closing it is not enough.
    kill(pid, SIGKILL)
    close(input)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}
