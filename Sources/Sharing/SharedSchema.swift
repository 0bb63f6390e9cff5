import ReceiptStore
import Subscriptions

/// Tables of a team on PostgreSQL; each version of the rows has a schema of its own, so there are no
/// migrations.
///
/// The statements for rows use only SELECT, COPY, DELETE, UPDATE of one row, and FOR UPDATE of one row, so
/// that servers that are only compatible with PostgreSQL, such as distributed ones, can have the tables.
///
/// - `shards`: a row for each part (one store of the team). The row '' has the number of the newest commit,
///   and is the lock for everything that the parts share.
/// - `classes`: ids of classes and shapes; `key` is a JSON array of their columns.
/// - `sums`: packed totals of all parts, with the commit that changed them; `part_sums`: sums of each part.
/// - `chains`, `lines`, `transaction_rows`, `spans`, `episodes`, `event_rows`: the store's tables.
/// - `documents`: each chain as a JSON document; `ids`: the ids that find a chain.
/// - `figures`: counts and amounts of each UTC day and part.
/// - `terms`: price catalog and exchange rates.
package struct SharedSchema: Sendable {
  package let name: String
  /// Name of the schema without the version, which is also the prefix of the roles.
  private let team: String

  package init(_ server: SharedServer) {
    (name, team) = ("\(server.schema)_v\(ReceiptStore.publishedVersion)", server.schema)
  }

  /// Returns the statements that create the schema and its tables, unless they exist.
  package func statements() throws -> String {
    let tables = try SharedTable.rows.map { table in
      let columns = try ReceiptStore.columns(of: table).map {
        "\($0.name) \($0.type == "TEXT" ? "text" : "bigint")"
      }
      let own = table.name == "chains" ? ["digest text NOT NULL", "receipts text NOT NULL"] : []
      let key = Self.keys[table.name].map { ["PRIMARY KEY (\($0))"] } ?? []
      return "CREATE TABLE IF NOT EXISTS \(table.name) (\((columns + own + key).joined(separator: ", ")));"
    }
    return """
      CREATE SCHEMA IF NOT EXISTS "\(name)";
      SET search_path TO "\(name)";
      CREATE TABLE IF NOT EXISTS shards (part text PRIMARY KEY, ordinal int NOT NULL, store_id text NOT NULL,
        token text NOT NULL, seq bigint NOT NULL, state text NOT NULL, filled_through bigint NOT NULL,
        as_of_ms bigint NOT NULL, \(Self.numbers.map { "\($0) bigint" }.joined(separator: ", ")), currency text);
      CREATE TABLE IF NOT EXISTS classes (kind int, id bigint, key text NOT NULL, PRIMARY KEY (kind, id));
      CREATE TABLE IF NOT EXISTS sums (series int, grain int, at bigint, packed bytea NOT NULL, seq bigint NOT NULL,
        PRIMARY KEY (series, grain, at));
      CREATE INDEX IF NOT EXISTS sums_seq ON sums (seq);
      CREATE TABLE IF NOT EXISTS part_sums (part int, series int, grain int, at bigint, packed bytea NOT NULL,
        PRIMARY KEY (part, series, grain, at));
      \(tables.joined(separator: "\n"))
      CREATE TABLE IF NOT EXISTS documents (chain_id bigint PRIMARY KEY, document text NOT NULL);
      CREATE TABLE IF NOT EXISTS ids (id text COLLATE "C", kind int, chain_id bigint, PRIMARY KEY (id, kind, chain_id));
      CREATE TABLE IF NOT EXISTS figures (part text, day date, figure text, product text, currency text,
        value bigint NOT NULL, PRIMARY KEY (part, day, figure, product, currency));
      CREATE TABLE IF NOT EXISTS terms (part text PRIMARY KEY, body text NOT NULL);
      \(Self.indexes.map { "CREATE INDEX IF NOT EXISTS \($0);" }.joined(separator: "\n"))
      \(try views())
      INSERT INTO shards (part, ordinal, store_id, token, seq, state, filled_through, as_of_ms)
        SELECT '', -1, '', '', 0, 'lock', 0, 0 WHERE NOT EXISTS (SELECT 1 FROM shards WHERE part = '');
      """
  }

  /// Statements for an administrator, to grant rights to publishing machines and to readers.
  var grants: String {
    """
    DO $$ BEGIN CREATE ROLE "\(team)_writer" NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    GRANT USAGE ON SCHEMA "\(name)" TO "\(team)_writer";
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(name)" TO "\(team)_writer";
    DO $$ BEGIN CREATE ROLE "\(team)_reader" NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    GRANT USAGE ON SCHEMA "\(name)" TO "\(team)_reader";
    GRANT SELECT ON ALL TABLES IN SCHEMA "\(name)" TO "\(team)_reader";
    """
  }

  /// Columns of `shards` with the `PublishedNumbers` of a part.
  static let numbers = [
    "receipts", "line_count", "transaction_count", "chain_count", "due", "dead", "first_purchase_ms", "rates",
    "is_whole", "rollup_version",
  ]

  private static let keys = [
    "chains": "id", "lines": "chain_id, id", "transaction_rows": "chain_id, id",
    "spans": "chain_id, line_id, from_ms", "episodes": "chain_id, line_id, family, from_ms, current_id",
    "event_rows": "chain_id, place",
  ]

  private static let indexes =
    [
      "ids_chain ON ids (chain_id)", "lines_id ON lines (id)",
      "lines_first_paid ON lines (first_paid_ms) WHERE first_paid_ms IS NOT NULL",
      "spans_from ON spans (from_ms)",
      "spans_change ON spans (change_id, from_ms) WHERE change_id IS NOT NULL",
      "spans_unpaid ON spans (from_ms) WHERE expires_ms IS NOT NULL",
      "episodes_from ON episodes (family, from_ms)", "event_rows_effective ON event_rows (effective_at_ms)",
    ]
    + [
      "purchase_date_ms", "expires_date_ms", "effective_end_ms", "refunded_at_ms", "upgraded_at_ms",
      "cancelled_at_ms",
    ].map { "transaction_rows_\($0) ON transaction_rows (\($0)) WHERE \($0) IS NOT NULL" }

  // MARK: Views for other programs

  /// Names in views, for columns whose name without the unit is a keyword of SQL.
  private static let viewNames = ["from_ms": "started_at", "until_ms": "ended_at"]

  /// Returns the statements that create views for other programs, with timestamps and the values of shapes.
  private func views() throws -> String {
    func shape(_ kind: SharedClass, _ alias: String) throws -> [String] {
      try ReceiptStore.columns(of: kind).enumerated().map { place, column in
        let value = "(\(alias).key::json ->> \(place))"
        return column.type == "TEXT" ? "\(value) AS \(column.name)" : "\(value)::bigint AS \(column.name)"
      }
    }
    func own(_ table: SharedTable, _ alias: String, without: Set<String>) throws -> [String] {
      try ReceiptStore.columns(of: table).filter { !without.contains($0.name) }.map { column in
        guard column.name.hasSuffix("_ms") else { return "\(alias).\(column.name)" }
        let bound = "\(Instant.distantFuture.rawValue), \(Instant.distantPast.rawValue)"
        let name = Self.viewNames[column.name] ?? String(column.name.dropLast(3))
        return """
          CASE WHEN \(alias).\(column.name) IN (\(bound)) THEN NULL
            ELSE to_timestamp(\(alias).\(column.name) / 1000.0) END AS \(name)
          """
      }
    }
    let chain = "c.original_transaction_id, c.environment AS chain_environment"
    let line = "LEFT JOIN lines l ON l.chain_id = t.chain_id AND l.id = t.line_id"
    func view(
      _ name: String, _ table: SharedTable, _ kind: SharedClass, by column: String, chain: String,
      join: String = ""
    ) throws -> String {
      let names = Set(try ReceiptStore.columns(of: kind).map(\.name) + [column])
      let columns =
        try [chain] + own(table, "t", without: names) + shape(kind, "k")
      return """
        CREATE OR REPLACE VIEW v_\(name) AS SELECT \(columns.joined(separator: ", "))
        FROM \(table.name) t JOIN chains c ON c.id = t.chain_id
          JOIN classes k ON k.kind = \(kind.rawValue) AND k.id = t.\(column) \(join);
        """
    }
    return try [
      view("transactions", .transactions, .transactionShape, by: "shape_id", chain: chain),
      view("events", .events, .eventShape, by: "shape_id", chain: chain),
      view(
        "spans", .spans, .position, by: "position_id",
        chain: "\(chain), l.subscription_group_id, l.is_family_shared", join: line),
      """
      CREATE OR REPLACE VIEW v_figures AS SELECT day, figure, NULLIF(product, '') AS product,
        NULLIF(currency, '') AS currency, sum(value)::bigint AS value FROM figures
      GROUP BY day, figure, product, currency;
      """,
    ].joined(separator: "\n")
  }
}

extension PostgresConnection {
  /// Returns an array in PostgreSQL's text format, as a parameter of a statement.
  static func array(_ numbers: some Sequence<Int64>) -> String {
    "{\(numbers.map(String.init).joined(separator: ","))}"
  }

  static func array(_ texts: some Sequence<String>) -> String {
    let quoted = texts.map { text in
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    return "{\(quoted.joined(separator: ","))}"
  }
}
