import ReceiptStore
import Subscriptions

/// Numbers of rows and bytes in one publication, for its summary.
public struct Published: Sendable {
  public var chains = 0
  public var changedChains = 0
  public var sums = 0
  public var transactions = 0
  public var bytes = 0
}

/// Writes a store's chains to the server, within a transaction of the server.
struct ChainWriter {
  private let connection: PostgresConnection
  private let snapshot: PublishedSnapshot

  init(_ connection: PostgresConnection, _ snapshot: PublishedSnapshot) {
    (self.connection, self.snapshot) = (connection, snapshot)
  }

  /// Locks the row that a team's stores share, for the transaction; returns the number of the newest commit.
  static func lock(_ connection: PostgresConnection) throws -> Int64 {
    try connection.run("SELECT seq FROM shards WHERE part = '' FOR UPDATE").number(0, 0) ?? 0
  }

  struct Table {
    var name: String
    /// Columns in the order of the rows, and whether each is text.
    var columns: [(name: String, isText: Bool)]
    var chain: String { ChainWriter.chainColumn(of: name) }
  }

  func tables() throws -> [Table] {
    let copies = try SharedTable.rows.map { table in
      let own = table.name == SharedTable.chains.name ? [("digest", true), ("receipts", true)] : []
      let columns = try ReceiptStore.columns(of: table).map { ($0.name, $0.type == "TEXT") }
      return Table(name: table.name, columns: columns + own)
    }
    return copies + [
      Table(name: "documents", columns: [("chain_id", false), ("document", true)]),
      Table(name: "ids", columns: [("id", true), ("kind", false), ("chain_id", false)]),
    ]
  }

  private static let names = SharedTable.rows.map(\.name) + ["documents", "ids"]

  private static func chainColumn(of table: String) -> String {
    table == SharedTable.chains.name ? "id" : "chain_id"
  }

  struct ChainRows {
    /// Rows in the order of `tables()`.
    var texts: [CopyText]
    /// Digest of the document and of all rows except the row of `chains`, which every validation changes.
    var digest: String
    var transactions = 0
  }

  func rows(of chain: Int64) throws -> ChainRows {
    let (id, document) = (chain + snapshot.state.offset, try snapshot.document(chain: chain))
    var (hash, transactions) = (StableHash(), 0)
    var texts = try SharedTable.rows.map { table in
      var text = CopyText()
      try snapshot.addRows(of: table, chain: chain, to: &text)
      if table.name != SharedTable.chains.name { hash.add(bytes: text.bytes) }
      if table.name == SharedTable.transactions.name {
        transactions = text.bytes.count { $0 == UInt8(ascii: "\n") }
      }
      return text
    }
    var (documents, ids) = (CopyText(), CopyText())
    documents.add(id)
    documents.add(document)
    documents.endRow()
    for entry in try snapshot.ids(chain: chain) {
      ids.add(entry.id)
      ids.add(Int64(entry.kind.rawValue))
      ids.add(id)
      ids.endRow()
    }
    hash.add(document)
    hash.add(bytes: ids.bytes)
    let digest = String(hash.value, radix: 36)
    texts[0].reopenRow()
    texts[0].add(digest)
    texts[0].add(try snapshot.receipts(chain: chain))
    texts[0].endRow()
    return ChainRows(texts: texts + [documents, ids], digest: digest, transactions: transactions)
  }

  /// Replaces chains on the server; if a chain is unchanged, only its row in `chains` is replaced.
  ///
  /// - Parameter isNew: Whether the server has none of the chains.
  func write(_ chains: [Int64], isNew: Bool, _ published: inout Published) throws {
    guard !chains.isEmpty else { return }
    let offset = snapshot.state.offset
    let ids = PostgresConnection.array(chains.map { $0 + offset })
    var known: [Int64: String] = [:]
    if !isNew {
      let found = try connection.run("SELECT id, digest FROM chains WHERE id = ANY($1::bigint[])", [ids])
      for row in 0..<found.count { if let id = found.number(row, 0) { known[id] = found.text(row, 1) } }
    }
    let tables = try tables()
    var texts = tables.map { _ in CopyText() }
    var changed: [Int64] = []
    for chain in chains {
      let (rows, id) = (try rows(of: chain), chain + offset)
      let isChanged = known[id] != rows.digest
      if isChanged {
        changed.append(id)
        published.transactions += rows.transactions
      }
      for (place, text) in rows.texts.enumerated() where place == 0 || isChanged { texts[place].append(text) }
    }
    if !isNew { try delete(ids, changed: changed) }
    for (table, text) in zip(tables, texts) {
      try connection.copy(text, to: table.name, columns: table.columns.map(\.name))
      published.bytes += text.bytes.count
    }
    published.chains += chains.count
    published.changedChains += changed.count
  }

  private func delete(_ ids: String, changed: [Int64]) throws {
    try connection.run("DELETE FROM chains WHERE id = ANY($1::bigint[])", [ids])
    guard !changed.isEmpty else { return }
    let changed = PostgresConnection.array(changed)
    for table in Self.names where table != SharedTable.chains.name {
      try connection.run("DELETE FROM \(table) WHERE chain_id = ANY($1::bigint[])", [changed])
    }
  }

  static func delete(after first: Int64, through last: Int64, _ connection: PostgresConnection) throws {
    for table in names {
      let column = chainColumn(of: table)
      try connection.run(
        "DELETE FROM \(table) WHERE \(column) > $1 AND \(column) <= $2", ["\(first)", "\(last)"])
    }
  }
}

/// Writes the sums of one store (`part_sums`), and updates the team's totals (`sums`).
struct SumWriter {
  private let connection: PostgresConnection
  private let snapshot: PublishedSnapshot?
  private let part: Int64
  private let seq: Int64

  /// - Parameter snapshot: Snapshot of the store; `nil` to remove the store's sums from the server.
  init(_ connection: PostgresConnection, _ snapshot: PublishedSnapshot?, part: Int64, seq: Int64) {
    (self.connection, self.snapshot, self.part, self.seq) = (connection, snapshot, part, seq)
  }

  /// Writes all sums and computes the team's totals again, or writes only the sums in the journal; returns
  /// the number of buckets written.
  func write(isEverything: Bool) throws -> Int {
    var keys = try Set(isEverything ? snapshot?.allSums() ?? [] : snapshot?.changedSums() ?? [])
    if isEverything {
      let known = try connection.run(
        "SELECT series, grain, at FROM part_sums WHERE part = $1 UNION SELECT series, grain, at FROM sums",
        ["\(part)"])
      for row in 0..<known.count { keys.insert(Self.key(known, row)) }
    }
    let numbers = try [SharedClass.change, .fact, .cohort].reduce(into: [SharedClass: [Int64: Int64]]()) {
      $0[$1] = try snapshot?.numbers(of: $1)
    }
    for page in keys.sorted().chunks(of: 1000) { try write(page, numbers, isEverything: isEverything) }
    return keys.count
  }

  private func write(
    _ keys: [SumKey], _ numbers: [SharedClass: [Int64: Int64]], isEverything: Bool
  ) throws {
    let ours = isEverything ? [:] : try packed("part_sums WHERE part = \(part) AND", keys)
    // Sums of the other stores, or of all stores if only changes are added.
    let all = try packed(isEverything ? "part_sums WHERE part <> \(part) AND" : "sums WHERE", keys)
    var (parts, totals) = (CopyText(), CopyText())
    for key in keys {
      let new = try snapshot?.sums(key, numbers[SharedClass(numbered: key.series)] ?? [:]) ?? []
      let total = try PackedSums.adding(all[key] ?? [], new, minus: ours[key] ?? [])
      if !new.isEmpty {
        parts.add(part)
        Self.add(key, to: &parts)
        parts.add(binary: PackedSums.pack(new))
        parts.endRow()
      }
      // An empty row shows readers that a bucket has become empty.
      if total.isEmpty, all[key] == nil, !isEverything { continue }
      Self.add(key, to: &totals)
      totals.add(binary: PackedSums.pack(total))
      totals.add(seq)
      totals.endRow()
    }
    for rows in ["part_sums WHERE part = \(part) AND", "sums WHERE"] {
      try connection.run("DELETE FROM \(rows) \(Self.selected)", arguments(keys))
    }
    try connection.copy(parts, to: "part_sums", columns: ["part", "series", "grain", "at", "packed"])
    try connection.copy(totals, to: "sums", columns: ["series", "grain", "at", "packed", "seq"])
  }

  private static func add(_ key: SumKey, to row: inout CopyText) {
    row.add(Int64(key.series))
    row.add(Int64(key.grain))
    row.add(key.at)
  }

  static func key(_ rows: PostgresRows, _ row: Int) -> SumKey {
    SumKey(
      series: Int(rows.number(row, 0) ?? 0), grain: Int(rows.number(row, 1) ?? 0),
      at: rows.number(row, 2) ?? 0)
  }

  private static let selected = """
    (series, grain, at) IN (SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[]))
    """

  private func arguments(_ keys: [SumKey]) -> [String?] {
    [keys.map { Int64($0.series) }, keys.map { Int64($0.grain) }, keys.map(\.at)].map(
      PostgresConnection.array)
  }

  /// Returns the sums of buckets, added up if a bucket has several rows.
  ///
  /// - Parameter rows: SQL after `FROM`: the table, and the beginning of a condition.
  private func packed(_ rows: String, _ keys: [SumKey]) throws -> [SumKey: [PackedSums.Element]] {
    let found = try connection.run(
      "SELECT series, grain, at, packed FROM \(rows) \(Self.selected)", arguments(keys))
    var sums: [SumKey: [PackedSums.Element]] = [:]
    for row in 0..<found.count {
      guard let bytes = found.bytes(row, 3) else { continue }
      let (key, one) = (Self.key(found, row), try PackedSums.unpack(bytes))
      sums[key] = try sums[key].map { try PackedSums.adding($0, one, minus: []) } ?? one
    }
    return sums
  }
}

/// Writes the table `figures`: counts and amounts of each UTC day.
struct FigureWriter {
  let connection: PostgresConnection
  let snapshot: PublishedSnapshot
  let part: String
  let mostDays: Int64

  /// Writes the figures of days that ended or changed since the last publication, or of all days.
  func write(isEverything: Bool, at now: Instant) throws {
    let last = try connection.run(
      "SELECT max(day) - DATE '1970-01-01' FROM figures WHERE part = $1", [part]
    ).number(0, 0)
    let days = try snapshot.changedDays(after: isEverything ? nil : last, atMost: mostDays, at: now)
    guard let days else { return }
    try connection.run(
      """
      DELETE FROM figures WHERE part = $1
        AND (day >= DATE '1970-01-01' + $2::int OR day <= DATE '1970-01-01' + $3::int)
      """, [part, "\(days.lowerBound)", "\(days.upperBound - mostDays)"])
    var rows = CopyText()
    for day in days {
      let date = CivilDate(daysSince1970: Int(day)).description
      for entry in try snapshot.figures(of: day) {
        for text in [part, date, entry.figure, entry.product, entry.currency] { rows.add(text) }
        rows.add(entry.value)
        rows.endRow()
      }
    }
    try connection.copy(
      rows, to: "figures", columns: ["part", "day", "figure", "product", "currency", "value"])
  }
}
