import Glibc

/// PostgreSQL server on a socket in a temporary folder. It ends when the test process does.
public final class PostgresServer: Sendable {
  /// Server of this process, which is started at its first use.
  public static let shared = Result { try PostgresServer() }

  /// Programs of Debian's package; `nil` if it is not installed.
  public static let programs: String? = (13...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first {
    access("\($0)/initdb", X_OK) == 0
  }

  /// Why tests that need a server are skipped.
  public static let missing =
    "there is no PostgreSQL: run `make test-tools`, or install the package postgresql"

  private let folder: TemporaryFolder
  /// End of a pipe that the server's shell reads: when this process ends, so does the server.
  private let leash: Int32

  /// Connection string of the database `postgres`.
  public var connection: String { "host=\(folder.path) user=postgres dbname=postgres" }
  public var socketFolder: String { folder.path }

  private init() throws {
    guard let programs = Self.programs else { throw SystemProgramProblem(Self.missing) }
    var (leash, ready): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&leash) == 0, pipe(&ready) == 0 else { throw SystemProgramProblem("no pipe") }
    for end in leash + ready { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    folder = TemporaryFolder()
    self.leash = leash[1]
    // The server refuses to run as root.
    let script = """
      cd "$0" || exit; trap '' INT
      if [ "$(id -u)" = 0 ]; then chown postgres . && as="setpriv --reuid=postgres --regid=postgres --clear-groups"; fi
      $as "$1/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null 2>&1
      echo "listen_addresses = ''
      unix_socket_directories = '$0'
      fsync = off
      max_connections = 60
      shared_buffers = 64MB" >>data/postgresql.conf
      $as "$1/pg_ctl" -D data -l data/log -w start >/dev/null 2>&1 && echo ready
      exec >/dev/null; cat >/dev/null
      $as "$1/pg_ctl" -D data -m immediate stop >/dev/null 2>&1; rm -rf "$0"
      """
    _ = try startProgram(
      "/bin/sh", ["-c", script, folder.path, programs], environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
      input: leash[0], output: ready[1])
    close(leash[0])
    close(ready[1])
    var byte: UInt8 = 0
    let count = read(ready[0], &byte, 1)
    close(ready[0])
    guard count == 1 else {
      throw SystemProgramProblem("PostgreSQL did not start; see \(folder.path)/data/log")
    }
  }
}
