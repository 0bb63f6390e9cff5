import CPostgres
import Glibc
import Subscriptions
import Synchronization

/// Error of a connection to PostgreSQL, in one sentence without secrets.
public struct PostgresError: Error, CustomStringConvertible, Sendable {
  public enum Kind: Sendable {
    case noLibrary
    case unreachable
    /// The server refused the user or the database, or its certificate could not be verified.
    case refused
    case notPermitted
    case failed
    /// The server, its tables or its rows do not fit this store or version.
    case unsuitable
    case misconfigured
  }

  public let kind: Kind
  public let description: String
  /// SQLSTATE of the server's error; `nil` if the error is not the server's.
  public var state: String?

  init(_ kind: Kind, _ description: String, state: String? = nil) {
    (self.kind, self.description, self.state) = (kind, description, state)
  }
}

/// Password of a PostgreSQL server, which is never printed.
public struct ServerPassword: Sendable, CustomStringConvertible, CustomReflectable {
  fileprivate let text: String

  public init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

  public var description: String { "password" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Server and schema that a team shares, and the name of this store there.
public struct SharedServer: Sendable {
  /// Connection string of libpq, without a password.
  public var connection: String
  public var password: ServerPassword?
  /// Name of the schema, without the version.
  public var schema: String
  public var part: String

  public init(connection: String, password: ServerPassword? = nil, schema: String, part: String) {
    (self.connection, self.password, self.schema, self.part) = (connection, password, schema, part)
  }
}

/// Connection to PostgreSQL that any thread may use, but only one at a time; hence `@unchecked Sendable`.
package final class PostgresConnection: @unchecked Sendable {
  private let pointer: OpaquePointer
  private static let library = Mutex<Void>(())

  /// Connects, after checking that a connection to another machine would verify the server's certificate.
  package init(_ server: SharedServer) throws(PostgresError) {
    try Self.check(server)
    let password = server.password?.text
    let values: [(String, String?)] = [
      ("dbname", server.connection), ("password", password), ("application_name", "subtop"),
      ("client_encoding", "UTF8"), ("connect_timeout", "10"), ("keepalives_idle", "30"),
      ("tcp_user_timeout", "60000"),
    ].filter { $0.1 != nil }
    let words = values.map { strdup($0.0) } + [nil]
    let texts = values.map { $0.1.flatMap { strdup($0) } } + [nil]
    defer { for text in words + texts { free(text) } }
    let made = words.map { UnsafePointer($0) }.withUnsafeBufferPointer { words in
      texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { texts in
        words.baseAddress.flatMap { words in texts.baseAddress.flatMap { cpg_connect(words, $0) } }
      }
    }
    guard let made else { throw PostgresError(.failed, "there is no memory for a connection") }
    guard cpg_is_connected(made) != 0 else {
      let message = Self.clean(String(cString: cpg_message(made)), without: password)
      cpg_close(made)
      let refusals = ["authentication", "no pg_hba.conf", "certificate", "does not exist", "permission"]
      let isRefused = refusals.contains { message.contains($0) }
      throw PostgresError(
        isRefused ? .refused : .unreachable, "cannot connect to \(Self.place(of: server)): \(message)")
    }
    pointer = made
  }

  deinit { cpg_close(pointer) }

  var isAlive: Bool { (try? run("SELECT 1")) != nil }
  var version: Int { Int(cpg_server_version(pointer)) }
  var usesTLS: Bool { cpg_uses_tls(pointer) != 0 }

  static func open() throws(PostgresError) {
    let problem = library.withLock { _ in cpg_open().map { String(cString: $0) } }
    guard let problem else { return }
    throw PostgresError(
      .noLibrary,
      "cannot open libpq, PostgreSQL's client library (\(clean(problem))); install the package libpq5")
  }

  /// Returns the database and host of a connection string, for messages.
  static func place(of server: SharedServer) -> String {
    let host = value("host", of: server) ?? value("service", of: server) ?? "the local server"
    return clean(value("dbname", of: server).map { "\($0) on \(host)" } ?? host)
  }

  private static func value(_ word: String, of server: SharedServer) -> String? {
    guard let value = cpg_value(server.connection, word) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }

  /// Throws an error if libpq is missing, or if the connection string is malformed, contains a password, or
  /// does not verify a server on another machine.
  static func check(_ server: SharedServer) throws(PostgresError) {
    try open()
    if let message = cpg_check(server.connection) {
      defer { free(message) }
      throw PostgresError(
        .misconfigured,
        "server in [shared] is not a connection string of libpq: \(clean(String(cString: message)))")
    }
    guard value("password", of: server) == nil else {
      throw PostgresError(
        .misconfigured,
        "server in [shared] contains a password; put it in a file and name it in password_file")
    }
    let hosts = (value("host", of: server) ?? "").split(separator: ",")
    let addresses = (value("hostaddr", of: server) ?? "").split(separator: ",")
    let isNear =
      hosts.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("@") || isLoopback($0) }
      && addresses.allSatisfy(isLoopback)
    // A service file and these variables may name any host; so may PGHOST if the string names no host.
    let mayBeElsewhere =
      value("service", of: server) != nil || getenv("PGSERVICE") != nil || getenv("PGHOSTADDR") != nil
      || hosts.isEmpty && getenv("PGHOST") != nil
    guard !isNear || mayBeElsewhere, value("sslmode", of: server) != "verify-full" else {
      return
    }
    throw PostgresError(
      .misconfigured,
      "server in [shared] is, or may be, another machine, so the connection must be verified; add sslmode=verify-full, and sslrootcert if "
        + "its certificate is not from a public authority")
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    var address = in_addr()
    return host == "localhost" || host == "::1"
      || inet_pton(AF_INET, String(host), &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  /// Returns text from the server as one line of at most 400 characters, without the password.
  static func clean(_ text: String, without password: String? = nil) -> String {
    var text = text
    if let password, !password.isEmpty {
      text = text.replacing(password, with: "…")
    }
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    return String(
      words.unicodeScalars.map { scalar in
        let isShown =
          scalar.value >= 0x20 && scalar.properties.generalCategory != .control
          && scalar.properties.generalCategory != .format
        return isShown ? Character(scalar) : "?"
      }.prefix(400))
  }

  // MARK: Statements

  @discardableResult
  package func run(_ statement: String, _ parameters: [String?] = []) throws(PostgresError) -> PostgresRows {
    let texts = parameters.map { $0.flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    let result = texts.map { UnsafePointer($0) }.withUnsafeBufferPointer {
      cpg_run(pointer, statement, CInt(parameters.count), $0.baseAddress)
    }
    return try rows(result)
  }

  package func runAll(_ statements: String) throws(PostgresError) {
    _ = try rows(cpg_run_all(pointer, statements))
  }

  private func rows(_ result: OpaquePointer?) throws(PostgresError) -> PostgresRows {
    guard let result else { throw lost }
    let rows = PostgresRows(result)
    guard rows.isFailed else { return rows }
    throw error(rows)
  }

  private var lost: PostgresError {
    let message = Self.clean(String(cString: cpg_message(pointer)))
    return PostgresError(.unreachable, "the connection to the server was lost: \(message)")
  }

  private func error(_ rows: PostgresRows) -> PostgresError {
    guard cpg_is_connected(pointer) != 0 else { return lost }
    let state = rows.state ?? ""
    let kind: PostgresError.Kind = state == "42501" ? .notPermitted : .failed
    let shown = state.isEmpty ? "" : " (\(Self.clean(state)))"
    return PostgresError(kind, "the server reports: \(Self.clean(rows.reason))\(shown)", state: state)
  }

  func copy(_ text: CopyText, to table: String, columns: [String]) throws(PostgresError) {
    guard !text.bytes.isEmpty else { return }
    try run("COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN")
    let isSent = text.bytes.withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map { cpg_put(pointer, $0, bytes.count) != 0 } ?? true
    }
    guard isSent else { throw lost }
    _ = try rows(cpg_put_end(pointer, nil))
  }

  /// Runs `body` in a transaction that looks up tables in `schema`, and is rolled back if `body` throws.
  package func transaction<Value>(
    _ schema: String, isReading: Bool = false, _ body: () throws -> Value
  ) throws -> Value {
    let mode = isReading ? " ISOLATION LEVEL REPEATABLE READ READ ONLY" : ""
    try runAll("BEGIN\(mode); SET LOCAL search_path = \"\(schema)\"")
    do {
      let value = try body()
      try runAll("COMMIT")
      return value
    } catch {
      try? runAll("ROLLBACK")
      throw error
    }
  }
}

/// Result of a statement, with values in PostgreSQL's binary format.
package final class PostgresRows {
  private let pointer: OpaquePointer

  fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { cpg_free(pointer) }

  fileprivate var isFailed: Bool { cpg_outcome(pointer) == CPG_FAILED }
  fileprivate var state: String? { cpg_state(pointer).map { String(cString: $0) } }
  fileprivate var reason: String { cpg_reason(pointer).map { String(cString: $0) } ?? "an unknown error" }

  package var count: Int { Int(cpg_rows(pointer)) }

  /// Returns the bytes of a value, valid as long as this object exists; `nil` if the value is NULL.
  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    guard cpg_is_null(pointer, CInt(row), CInt(column)) == 0 else { return nil }
    var count = 0
    let start = cpg_bytes(pointer, CInt(row), CInt(column), &count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Returns the value of an integer or boolean column; `nil` if it is NULL or has another size.
  func number(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = bytes(row, column), [1, 2, 4, 8].contains(bytes.count) else { return nil }
    let unsigned = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * bytes.count
    return Int64(bitPattern: unsigned << UInt64(unused)) >> Int64(unused)
  }

  package func text(_ row: Int, _ column: Int) -> String? {
    bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
  }
}
