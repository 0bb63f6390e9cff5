import Glibc

/// PostgreSQL server on a socket in a temporary folder, which ends with the test process.
public final class PostgresServer: Sendable {
  public static let shared = Result { try PostgresServer() }
  /// Second server, for tables whose rows are on two machines.
  public static let other = Result { try PostgresServer() }

  /// Server with TLS on a TCP port, for tests of certificates.
  public static let secure = Result { try PostgresServer(port: unusedPort()) }
  /// Certificates of `secure` for `localhost`: one that is valid, one expired, and one of another key.
  public enum Certificate: String, Sendable { case good, expired, other }

  /// Programs of Debian's package; `nil` if it is not installed.
  public static let programs: String? = (13...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first {
    access("\($0)/initdb", X_OK) == 0
  }

  public static let missing =
    "there is no PostgreSQL: run `make test-tools`, or install the package postgresql"

  private let folder: TemporaryFolder
  /// End of a pipe that the server's shell reads: when this process ends, so does the server.
  private let leash: Int32
  private let port: UInt16?

  public var connection: String {
    "host=\(folder.path) user=postgres dbname=postgres" + (port.map { " port=\($0)" } ?? "")
  }

  /// Returns a connection string over TCP that trusts one certificate.
  public func connection(host: String, trusting certificate: Certificate) -> String {
    "host=\(host) hostaddr=127.0.0.1 port=\(port ?? 0) user=postgres dbname=postgres sslmode=verify-full "
      + "sslrootcert=\(folder.path)/\(certificate).crt"
  }
  public var socketFolder: String { folder.path }

  private init(port: UInt16? = nil) throws {
    guard let programs = Self.programs else { throw SystemProgramProblem(Self.missing) }
    var (leash, ready): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&leash) == 0, pipe(&ready) == 0 else { throw SystemProgramProblem("no pipe") }
    for end in leash + ready { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    folder = TemporaryFolder()
    (self.leash, self.port) = (leash[1], port)
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
      \(port.map(Self.encryption) ?? "")
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

  private static func encryption(port: UInt16) -> String {
    """
    for name in good expired other; do
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $name.key -out $name.csr -subj /CN=localhost
      days=2; if [ $name = expired ]; then days=-1; fi
      echo subjectAltName=DNS:localhost >names
      openssl x509 -req -in $name.csr -signkey $name.key -days $days -extfile names -out $name.crt
      cp $name.crt $name.key data/; chmod 644 $name.crt; chmod 600 data/$name.key
      if [ "$(id -u)" = 0 ]; then chown postgres data/$name.key; fi
    done >/dev/null 2>&1
    echo "listen_addresses = '127.0.0.1'
    port = \(port)
    ssl = on
    ssl_cert_file = 'good.crt'
    ssl_key_file = 'good.key'" >>data/postgresql.conf
    """
  }

  private static func unusedPort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw SystemProgramProblem("no port is free") }
    return UInt16(bigEndian: address.sin_port)
  }
}
