import ReceiptStore
import Sharing
import Subscriptions
import Synchronization
import TestSupport
import Testing

/// Team's schema on the test server, and publishers for it.
final class Team {
  private static let count = Atomic(0)
  private let schema: String
  let connection: String
  /// Time of the publishing machines.
  var now: Instant
  /// Number of days with published figures; small, because each day takes several reports.
  var figureDays: Int64 = 2

  /// Storage of the tables that have chains or sums.
  enum Layout {
    case plain
    /// Eight hash partitions.
    case partitions
    /// Two hash partitions; `postgres_fdw` stores the second one on another server.
    case twoServers
  }

  init(now: Instant, _ layout: Layout = .plain) throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    schema = "team_\(number)"
    connection = try PostgresServer.shared.get().connection
    self.now = now
    if layout == .twoServers { try makeRemoteTables() }
    if layout != .plain { try SharedDump.run(try partitioned(layout), server("")) }
    let store = try Shelf().store
    _ = try publisher(of: store, "").makeTables()
    guard layout != .plain else { return }
    let tables = try SharedDump.rows(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'p' AND n.nspname = '\(schemaName)'
      """, server(""))
    #expect(tables.count == 9)
  }

  private func makeRemoteTables() throws {
    let other = try PostgresServer.other.get()
    var remote = server("")
    remote.connection = other.connection
    try SharedDump.run(try SharedDump.tables(remote), remote)
    try SharedDump.run(
      """
      CREATE EXTENSION IF NOT EXISTS postgres_fdw;
      CREATE SERVER IF NOT EXISTS elsewhere FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '\(other.socketFolder)', dbname 'postgres');
      CREATE USER MAPPING IF NOT EXISTS FOR postgres SERVER elsewhere OPTIONS (user 'postgres');
      """, server(""))
  }

  private func partitioned(_ layout: Layout) throws -> String {
    try SharedDump.tables(server("")).replacing(
      /(CREATE TABLE IF NOT EXISTS (\w+) \([^;]*?)(,\s*PRIMARY KEY \(([^)]*)\)[^;]*)\);/
    ) { found in
      let (start, table, primary, keys) = (found.output.1, found.output.2, found.output.3, found.output.4)
      let names = keys.split(separator: ", ")
      guard
        let key = names.first(where: { ["chain_id", "at"].contains($0) }) ?? (table == "chains" ? "id" : nil)
      else { return String(found.output.0) }
      // A table with partitions on another server cannot have a primary key.
      let isRemote = layout == .twoServers
      let count = isRemote ? 2 : 8
      let partitions = (0..<count).map { number in
        let isThere = isRemote && number == 1
        return "CREATE \(isThere ? "FOREIGN " : "")TABLE \(table)_\(number) PARTITION OF \(table) "
          + "FOR VALUES WITH (MODULUS \(count), REMAINDER \(number))"
          + (isThere ? " SERVER elsewhere OPTIONS (table_name '\(table)');" : ";")
      }
      return "\(start)\(isRemote ? "" : primary)) PARTITION BY HASH (\(key));\n"
        + partitions.joined(separator: "\n")
    }
  }

  var schemaName: String { SharedSchema(server("")).name }

  func server(_ part: String) -> SharedServer {
    SharedServer(connection: connection, schema: schema, part: part)
  }

  func publisher(of store: ReceiptStore, _ part: String = "one") -> Publisher {
    let publisher = Publisher(server(part), of: store) { [now] in now }
    publisher.figureDays = figureDays
    return publisher
  }

  @discardableResult
  func publish(_ store: ReceiptStore, as part: String = "one", all: Bool = false) throws -> Published {
    try publisher(of: store, part).publish(all: all)
  }

  func open() throws -> ReceiptStore { try SharedRows(server("")).open() }

  func contents() throws -> [String] { try SharedDump.lines(server("")) }
}

extension World {
  /// Divides the stories into worlds; stories with a chain in common stay together.
  func divided(among count: Int) -> [World] {
    var parts = [World](repeating: self, count: count)
    for place in parts.indices { parts[place].stories = [] }
    var places: [OriginalTransactionID: Int] = [:]
    for (number, story) in stories.enumerated() {
      let chains = Set(story.answers.flatMap { $0.transactions.map(\.originalTransactionID) })
      let place = chains.compactMap { places[$0] }.first ?? number % count
      for chain in chains { places[chain] = place }
      parts[place].stories.append(story)
    }
    return parts
  }
}

extension Instant {
  /// Last millisecond of the hour before.
  var hourEnd: Instant {
    Instant(milliseconds: flooredQuotient(rawValue, over: Milliseconds.hour) * Milliseconds.hour - 1)
  }
}

extension Team {
  func differences(_ store: ReceiptStore, as part: String = "one") throws -> [String] {
    try PublicationCheck(server(part), of: store).differences()
  }

  /// Ends every other connection to the test server.
  func endConnections() throws {
    try SharedDump.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND application_name = 'subtop' AND backend_type = 'client backend'
      """, server(""))
  }

  func makeReader() throws -> SharedServer {
    let (role, name) = ("\(schema)_reader", schemaName)
    try SharedDump.run(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA "\(name)" TO \(role);
      GRANT SELECT ON ALL TABLES IN SCHEMA "\(name)" TO \(role)
      """, server(""))
    var reader = server("one")
    reader.connection = connection.replacing("user=postgres", with: "user=\(role)")
    return reader
  }
}
