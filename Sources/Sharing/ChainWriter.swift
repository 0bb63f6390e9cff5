import ReceiptStore
import Subscriptions

/// Result of publishing.
public struct Published: Sendable {
  public var chains = 0
  /// Chains whose rows were written; the others have the same rows as before.
  public var changedChains = 0
  public var sums = 0
  public var transactions = 0
  public var bytes = 0
}

/// Writes the chains of a store's state in a transaction of the server.
struct ChainWriter {
  private let connection: PostgresConnection
  private let snapshot: PublishedSnapshot

  init(_ connection: PostgresConnection, _ snapshot: PublishedSnapshot) {
    (self.connection, self.snapshot) = (connection, snapshot)
  }

  /// Locks everything that the parts have in common, until the transaction ends.
  ///
  /// - Returns: The number of the newest commit.
  func lock() throws -> Int64 {
    try connection.run("SELECT seq FROM shards WHERE part = '' FOR UPDATE").number(0, 0) ?? 0
  }

  private static let tables = SharedTable.rows.filter { $0.name != SharedTable.chains.name }

  /// Tables with rows of chains, with the column of the chain.
  static let allTables =
    SharedTable.rows.map { ($0.name, $0.name == "chains" ? "id" : "chain_id") }
    + [("documents", "chain_id"), ("ids", "chain_id")]

  /// Rows of one chain.
  struct ChainRows {
    /// Rows in the order of `tables`.
    var tables: [CopyText]
    var document: String
    var transactions = 0

    /// Digest of everything that a validation without news leaves as it is.
    var digest: String {
      var hash = StableHash()
      for table in tables { hash.add(bytes: table.bytes) }
      hash.add(document)
      return String(hash.value, radix: 36)
    }
  }

  func rows(of chain: Int64) throws -> ChainRows {
    let tables = try Self.tables.map { table in
      var text = CopyText()
      try snapshot.addRows(of: table, chain: chain, to: &text)
      return text
    }
    var rows = ChainRows(tables: tables, document: try snapshot.document(chain: chain))
    if let place = Self.tables.firstIndex(where: { $0.name == SharedTable.transactions.name }) {
      rows.transactions = tables[place].bytes.count { $0 == UInt8(ascii: "\n") }
    }
    return rows
  }

  /// Replaces chains. If the rows of a chain are the same as before, only its validation is written.
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
    var texts = Self.tables.map { _ in CopyText() }
    var (records, documents, idRows) = (CopyText(), CopyText(), CopyText())
    var changed: [Int64] = []
    for chain in chains {
      let rows = try self.rows(of: chain)
      let (id, digest) = (chain + offset, rows.digest)
      var record = CopyText()
      try snapshot.addRows(of: .chains, chain: chain, to: &record)
      record.reopenRow()
      record.add(digest)
      record.add(try snapshot.receipts(chain: chain))
      record.endRow()
      records.append(record)
      guard known[id] != digest else { continue }
      changed.append(id)
      published.transactions += rows.transactions
      for (place, text) in rows.tables.enumerated() { texts[place].append(text) }
      documents.add(id)
      documents.add(rows.document)
      documents.endRow()
      for entry in try snapshot.ids(chain: chain) {
        idRows.add(entry.id)
        idRows.add(Int64(entry.kind.rawValue))
        idRows.add(id)
        idRows.endRow()
      }
    }
    if !isNew { try delete(ids, changed: changed) }
    let columns = try snapshot.columns(of: .chains).map(\.name) + ["digest", "receipts"]
    try connection.copy(records, to: SharedTable.chains.name, columns: columns)
    for (table, text) in zip(Self.tables, texts) {
      try connection.copy(text, to: table.name, columns: try snapshot.columns(of: table).map(\.name))
    }
    try connection.copy(documents, to: "documents", columns: ["chain_id", "document"])
    try connection.copy(idRows, to: "ids", columns: ["id", "kind", "chain_id"])
    published.chains += chains.count
    published.changedChains += changed.count
    published.bytes += ([records, documents, idRows] + texts).reduce(0) { $0 + $1.bytes.count }
  }

  private func delete(_ ids: String, changed: [Int64]) throws {
    try connection.run("DELETE FROM chains WHERE id = ANY($1::bigint[])", [ids])
    guard !changed.isEmpty else { return }
    let changed = PostgresConnection.array(changed)
    for (table, column) in Self.allTables where table != SharedTable.chains.name {
      try connection.run("DELETE FROM \(table) WHERE \(column) = ANY($1::bigint[])", [changed])
    }
  }
}

/// Writes the sums of a store's state, and updates the sums of all parts.
struct SumWriter {
  private let connection: PostgresConnection
  private let snapshot: PublishedSnapshot
  private let part: Int64
  private let seq: Int64

  init(_ connection: PostgresConnection, _ snapshot: PublishedSnapshot, part: Int64, seq: Int64) {
    (self.connection, self.snapshot, self.part, self.seq) = (connection, snapshot, part, seq)
  }

  /// - Parameter isEverything: Whether to write all sums rather than those of the journal.
  /// - Returns: The number of buckets written.
  func write(isEverything: Bool) throws -> Int {
    var keys = Set(isEverything ? try snapshot.allSums() : try snapshot.changedSums())
    if isEverything {
      // Sums of a store that had the part before.
      let found = try connection.run("SELECT series, grain, at FROM part_sums WHERE part = $1", ["\(part)"])
      for row in 0..<found.count { keys.insert(Self.key(found, row)) }
    }
    let numbers = try [SharedClass.change, .fact, .cohort].reduce(into: [SharedClass: [Int64: Int64]]()) {
      $0[$1] = try snapshot.numbers(of: $1)
    }
    // In a first fill there is nothing to read and delete.
    let tables = try ["part_sums", "sums"].filter { table in
      try connection.run("SELECT 1 FROM \(table) LIMIT 1").count > 0
    }
    for page in keys.sorted().chunks(of: 1000) { try write(page, numbers, filled: tables) }
    return keys.count
  }

  /// - Parameter filled: Tables that had rows before.
  private func write(
    _ keys: [SumKey], _ numbers: [SharedClass: [Int64: Int64]], filled: [String]
  ) throws {
    let ours = filled.contains("part_sums") ? try packed("part_sums", keys) : [:]
    let all = filled.contains("sums") ? try packed("sums", keys) : [:]
    var (parts, totals) = (CopyText(), CopyText())
    for key in keys {
      let new = try snapshot.sums(key, numbers[SharedClass(numbered: key.series)] ?? [:])
      let total = try PackedSums.adding(all[key] ?? [], new, minus: ours[key] ?? [])
      if !new.isEmpty {
        parts.add(part)
        Self.add(key, to: &parts)
        parts.add(binary: PackedSums.pack(new))
        parts.endRow()
      }
      // Readers must see that a bucket has become empty.
      if total.isEmpty, all[key] == nil { continue }
      Self.add(key, to: &totals)
      totals.add(binary: PackedSums.pack(total))
      totals.add(seq)
      totals.endRow()
    }
    if !ours.isEmpty { try delete("part_sums", keys, "part = $4::int AND ", ["\(part)"]) }
    if !all.isEmpty { try delete("sums", keys, "", []) }
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

  private func packed(_ table: String, _ keys: [SumKey]) throws -> [SumKey: [PackedSums.Element]] {
    let isPart = table == "part_sums"
    let found = try connection.run(
      "SELECT series, grain, at, packed FROM \(table) WHERE \(isPart ? "part = $4::int AND " : "")\(Self.selected)",
      arguments(keys) + (isPart ? ["\(part)"] : []))
    var sums: [SumKey: [PackedSums.Element]] = [:]
    for row in 0..<found.count {
      guard let bytes = found.bytes(row, 3) else { continue }
      sums[Self.key(found, row)] = try PackedSums.unpack(bytes)
    }
    return sums
  }

  private func delete(_ table: String, _ keys: [SumKey], _ condition: String, _ more: [String?]) throws {
    try connection.run("DELETE FROM \(table) WHERE \(condition)\(Self.selected)", arguments(keys) + more)
  }
}
