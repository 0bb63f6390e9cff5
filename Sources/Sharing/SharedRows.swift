import ReceiptStore
import Subscriptions
import Synchronization

/// Reads the published rows of a team from its server.
public final class SharedRows: SharedSource {
  private let server: SharedServer
  private let schema: SharedSchema
  private let idle = Mutex<PostgresConnection?>(nil)

  public init(_ server: SharedServer) {
    (self.server, schema) = (server, SharedSchema(server))
  }

  public var name: String { "\(PostgresConnection.place(of: server)) (\(server.schema))" }

  /// Returns the stores on the server, including incompletely published ones.
  package func parts() throws -> [SharedPart] {
    let connection = try PostgresConnection(server)
    try Publisher.requireTables(connection, server)
    return try connection.transaction(schema.name, isReading: true) { try ServerReading.parts(connection) }
  }

  public func check() throws { try PostgresConnection.check(server) }

  /// - Returns: The server's version, such as 150018, and the schemas of other versions of the program.
  public func probe() throws -> (version: Int, usesTLS: Bool, others: [String]) {
    let connection = try PostgresConnection(server)
    let others = try connection.run(
      "SELECT nspname FROM pg_namespace WHERE nspname ~ $1 AND nspname <> $2 ORDER BY nspname",
      ["^\(server.schema)_v[0-9]+(_[0-9]+)*$", schema.name])
    let names = (0..<others.count).map { PostgresConnection.clean(others.text($0, 0) ?? "") }
    return (connection.version, connection.usesTLS, names)
  }

  public func access() throws -> SharedAccess {
    let connection = try PostgresConnection(server)
    return try connection.transaction(schema.name, isReading: true) {
      let rights = try connection.run("SELECT has_table_privilege('chains', 'INSERT')::int")
      return SharedAccess(
        mayPublish: rights.number(0, 0) == 1, claimedTwice: try PublicationCheck.claimedTwice(connection))
    }
  }

  /// Opens the published rows as a store that can only be read.
  public func open() throws -> ReceiptStore {
    try PostgresConnection.open()
    return try ReceiptStore(self, name: name)
  }

  package func reading<Value>(_ body: (any SharedReading) throws -> Value) throws -> Value {
    do {
      return try read(body)
    } catch let error as PostgresError {
      let kinds: [PostgresError.Kind: StoreError.Kind] = [
        .unreachable: .unreachable, .refused: .refused, .notPermitted: .notPermitted,
      ]
      throw StoreError(kinds[error.kind] ?? .unusable, error.description)
    }
  }

  private func read<Value>(_ body: (any SharedReading) throws -> Value) throws -> Value {
    let left = idle.withLock { idle in
      defer { idle = nil }
      return idle
    }
    let connection: PostgresConnection
    if let left, left.isAlive { connection = left } else { connection = try PostgresConnection(server) }
    let value = try connection.transaction(schema.name, isReading: true) {
      try body(ServerReading(connection, server, schema))
    }
    idle.withLock { $0 = connection }
    return value
  }
}

/// Rights of a user on a team's server, and the number of chains that several of its stores have published.
public struct SharedAccess: Sendable {
  public var mayPublish: Bool
  /// Number of chains that several stores have published, so that they count more than once.
  public var claimedTwice: Int
}

/// Reads from the server within one transaction.
struct ServerReading: SharedReading {
  private let connection: PostgresConnection
  private let server: SharedServer
  private let schema: SharedSchema
  private static let chainsPerPage = 500
  /// Maximum number of chains that are fetched for one id.
  private static let mostMatches = 2000

  init(_ connection: PostgresConnection, _ server: SharedServer, _ schema: SharedSchema) {
    (self.connection, self.server, self.schema) = (connection, server, schema)
  }

  // MARK: Parts

  static func parts(_ connection: PostgresConnection) throws -> [SharedPart] {
    let rows = try connection.run(
      """
      SELECT part, seq, state, as_of_ms, currency, ordinal, \(SharedSchema.numbers.joined(separator: ", "))
      FROM shards WHERE part <> '' ORDER BY part
      """)
    return (0..<rows.count).map { row in
      func number(_ place: Int) -> Int { Int(clamping: rows.number(row, 6 + place) ?? 0) }
      var numbers = PublishedNumbers()
      (numbers.receipts, numbers.lines, numbers.transactions) = (number(0), number(1), number(2))
      (numbers.chains, numbers.due, numbers.dead) = (number(3), number(4), number(5))
      numbers.firstPurchase = rows.number(row, 12).map(Instant.init(milliseconds:))
      numbers.rates = rows.number(row, 13) ?? 0
      (numbers.isWhole, numbers.rollupVersion) = (rows.number(row, 14) == 1, number(9))
      numbers.currency = rows.text(row, 4).flatMap(CurrencyCode.init(iso4217:))
      return SharedPart(
        name: PostgresConnection.clean(rows.text(row, 0) ?? ""), ordinal: rows.number(row, 5) ?? 0,
        seq: rows.number(row, 1) ?? 0, isReady: rows.text(row, 2) == "ready",
        asOf: Instant(milliseconds: rows.number(row, 3) ?? 0), numbers: numbers)
    }
  }

  var state: SharedState {
    get throws {
      let parts: [SharedPart]
      do {
        parts = try Self.parts(connection)
      } catch let error as PostgresError where error.state == "42P01" {
        // PostgreSQL reports the tables of a schema as missing to a user without the right USAGE.
        let known = try PostgresConnection(server).run(
          "SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema.name])
        guard known.count == 0 else {
          throw PostgresError(
            .notPermitted,
            "this user may not read the schema \(schema.name); run the grants of `subtop publish --init`, and add the user to "
              + "\(server.schema)_reader")
        }
        throw PostgresError(
          .unsuitable,
          "it has no schema \(schema.name), which this version reads; run `subtop publish --init` with the same version"
        )
      }
      guard !parts.isEmpty else {
        throw PostgresError(.unsuitable, "nothing has been published there yet; run `subtop publish`")
      }
      if let part = parts.first(where: { !$0.isReady }) {
        throw PostgresError(
          .unsuitable, "the part \(part.name) is being filled; try again later")
      }
      let seq = try connection.run("SELECT seq FROM shards WHERE part = ''").number(0, 0) ?? 0
      return SharedState(seq: seq, parts: parts, place: "\(PostgresConnection.place(of: server))")
    }
  }

  // MARK: Rows

  func refresh(after seq: Int64, _ writer: SharedWriter) throws {
    let kinds = SharedClass.allCases
    let rows = try connection.run(
      """
      SELECT c.kind, '[' || string_agg('[' || c.id || ',' || substr(c.key, 2), ',' ORDER BY c.id) || ']'
      FROM unnest($1::int[], $2::bigint[]) AS known (kind, id)
        JOIN classes c ON c.kind = known.kind AND c.id > known.id GROUP BY c.kind
      """,
      [
        PostgresConnection.array(kinds.map { Int64($0.rawValue) }),
        PostgresConnection.array(try kinds.map(writer.lastClass)),
      ])
    for row in 0..<rows.count {
      guard let kind = rows.number(row, 0).flatMap({ SharedClass(rawValue: Int($0)) }),
        let list = rows.text(row, 1)
      else { continue }
      try writer.add(kind, list)
    }
    let terms = try connection.run(
      "SELECT t.body FROM terms t JOIN shards s ON s.part = t.part ORDER BY s.ordinal LIMIT 1")
    if let body = terms.count > 0 ? terms.text(0, 0) : nil { try writer.set(terms: body) }
    // A negative number means that the reader has no sums yet; it fetches them on demand.
    guard seq >= 0 else { return }
    try add(connection.run("SELECT series, grain, at, packed FROM sums WHERE seq > $1", ["\(seq)"]), writer)
  }

  func fetch(_ needs: [SharedNeed], _ writer: SharedWriter) throws {
    var sums: [(series: Int64, grain: Int64, range: Range<Int64>)] = []
    var chains: Set<Int64> = []
    for need in needs {
      switch need {
      case .sums(let series, let grain, let range): sums.append((Int64(series), Int64(grain), range))
      case .rows(let name, let condition):
        guard let table = SharedTable.rows.first(where: { $0.name == name }) else { continue }
        try fetch(table, condition, writer)
      case .chains(let ids): chains.formUnion(ids)
      case .chainsOfLines(let lines):
        chains.formUnion(
          try numbers(
            "SELECT DISTINCT chain_id FROM lines WHERE id = ANY($1::bigint[])",
            [PostgresConnection.array(lines)]))
      case .query(let query):
        let found = try numbers(query, [])
        writer.set(result: found, of: query)
        chains.formUnion(found)
      case .matching(let id):
        chains.formUnion(
          try numbers(
            "SELECT DISTINCT chain_id FROM ids WHERE id = ANY($1::text[]) LIMIT \(Self.mostMatches)",
            [PostgresConnection.array(Set([id, id.lowercased(), id.uppercased()]).sorted())]))
      case .starting(let text, let limit):
        for start in Set([text, text.lowercased(), text.uppercased()]) {
          chains.formUnion(
            try numbers(
              "SELECT chain_id FROM ids WHERE id >= $1 AND id < $2 ORDER BY id LIMIT \(limit * 8)",
              [start, start + "\u{10FFFF}"]))
        }
      }
    }
    try fetch(sums, writer)
    for page in chains.sorted().chunks(of: Self.chainsPerPage) { try fetch(page, writer) }
  }

  private func numbers(_ query: String, _ arguments: [String?]) throws -> [Int64] {
    let rows = try connection.run(query, arguments)
    return (0..<rows.count).compactMap { rows.number($0, 0) }
  }

  private func fetch(
    _ sums: [(series: Int64, grain: Int64, range: Range<Int64>)], _ writer: SharedWriter
  ) throws {
    guard !sums.isEmpty else { return }
    let arrays = [
      sums.map(\.series), sums.map(\.grain), sums.map(\.range.lowerBound), sums.map(\.range.upperBound),
    ]
    let rows = try connection.run(
      """
      SELECT s.series, s.grain, s.at, s.packed
      FROM unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[]) AS r (series, grain, low, high)
        JOIN sums s ON s.series = r.series AND s.grain = r.grain AND s.at >= r.low AND s.at < r.high
      """, arrays.map(PostgresConnection.array))
    try add(rows, writer)
  }

  private func add(_ rows: PostgresRows, _ writer: SharedWriter) throws {
    for row in 0..<rows.count {
      guard let bytes = rows.bytes(row, 3) else { continue }
      try writer.add(sums: bytes, SumWriter.key(rows, row))
    }
  }

  private func fetch(_ table: SharedTable, _ condition: String, _ writer: SharedWriter) throws {
    let columns = try ReceiptStore.columns(of: table).map(\.name).joined(separator: ", ")
    let rows = try connection.run("SELECT \(columns) FROM \(table.name) WHERE \(condition)")
    try writer.add(rows: rows.count, of: table, number: rows.number, text: rows.text)
  }

  private func fetch(_ chains: [Int64], _ writer: SharedWriter) throws {
    let columns = try ReceiptStore.columns(of: .chains).map { "c.\($0.name)" }
    let rows = try connection.run(
      """
      SELECT \(columns.joined(separator: ", ")), c.receipts, d.document
      FROM chains c JOIN documents d ON d.chain_id = c.id WHERE c.id = ANY($1::bigint[])
      """, [PostgresConnection.array(chains)])
    try writer.add(rows: rows.count, of: .chains, number: rows.number, text: rows.text)
    for row in 0..<rows.count {
      guard let id = rows.number(row, 0), let receipts = rows.text(row, columns.count),
        let document = rows.text(row, columns.count + 1)
      else { continue }
      try writer.add(chain: id, document, receipts: receipts)
    }
    // Chains that the server lacks are noted, too, so that they are not requested again.
    writer.note(chains: chains)
  }
}
