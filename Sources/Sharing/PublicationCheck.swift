import ReceiptStore
import Subscriptions

/// Compares a store with its published rows, and the team's totals with the sums of its stores.
public struct PublicationCheck {
  private let server: SharedServer
  private let store: ReceiptStore

  public init(_ server: SharedServer, of store: ReceiptStore) { (self.server, self.store) = (server, store) }

  /// Returns the differences in words; rows that changed since the last publication are not compared.
  public func differences() throws -> [String] {
    let connection = try PostgresConnection(server)
    try Publisher.requireTables(connection, server)
    return try store.snapshot { snapshot in
      try connection.transaction(SharedSchema(server).name, isReading: true) {
        guard try snapshot.hasEveryClass() else { return ["the store has classes that were not published"] }
        let parts = try connection.run("SELECT ordinal FROM shards WHERE part = $1", [server.part])
        guard parts.count > 0, let part = parts.number(0, 0) else { return ["the part was never published"] }
        return try chains(snapshot, connection) + sums(snapshot, connection, part) + totals(connection)
          + Self.sentences([
            (Self.claimedTwice(connection), "subscription histories in two parts, which count twice")
          ])
      }
    }
  }

  private func chains(_ snapshot: PublishedSnapshot, _ connection: PostgresConnection) throws -> [String] {
    let (offset, writer) = (snapshot.state.offset, ChainWriter(connection, snapshot))
    let changed = try Set(snapshot.changedChains())
    let tables = try writer.tables()
    var (last, missing, different) = (Int64(0), 0, 0)
    var known: Set<Int64> = []
    while case let page = try snapshot.chains(after: last, atMost: 500), let newest = page.last {
      let published = try hashes(of: (last + offset + 1)...(newest + offset), tables, connection)
      last = newest
      known.formUnion(page)
      for chain in page where !changed.contains(chain) {
        guard let hash = published[chain + offset] else {
          missing += 1
          continue
        }
        let texts = try writer.rows(of: chain).texts
        let own = zip(tables, texts).reduce(0 as UInt128) { sum, table in
          table.1.bytes.split(separator: UInt8(ascii: "\n")).reduce(sum) {
            $0 &+ Self.hash(of: table.0, Array($1))
          }
        }
        if own != hash { different += 1 }
      }
    }
    let end = offset + PublicationState.rowsOfPart
    let found = try connection.run(
      "SELECT id FROM chains WHERE id >= $1 AND id < $2", ["\(offset)", "\(end)"])
    let others = (0..<found.count).count { !known.contains((found.number($0, 0) ?? 0) - offset) }
    return Self.sentences([
      (missing, "subscription histories that are missing on the server"),
      (different, "subscription histories that differ from the store's"),
      (others, "subscription histories that only the server has"),
    ])
  }

  /// Returns the sum of the hashes of each chain's rows, which does not depend on their order.
  private func hashes(
    of chains: ClosedRange<Int64>, _ tables: [ChainWriter.Table], _ connection: PostgresConnection
  ) throws -> [Int64: UInt128] {
    var hashes: [Int64: UInt128] = [:]
    for table in tables {
      let names = table.columns.map(\.name)
      let rows = try connection.run(
        "SELECT \(names.joined(separator: ", ")) FROM \(table.name) WHERE \(table.chain) BETWEEN $1 AND $2",
        ["\(chains.lowerBound)", "\(chains.upperBound)"])
      guard let place = names.firstIndex(of: table.chain) else { continue }
      for row in 0..<rows.count {
        guard let chain = rows.number(row, place) else { continue }
        var text = CopyText()
        for (column, kind) in table.columns.enumerated() {
          if kind.isText, let value = rows.text(row, column) {
            text.add(value)
          } else if let value = rows.number(row, column) {
            text.add(value)
          } else {
            text.addNull()
          }
        }
        hashes[chain, default: 0] &+= Self.hash(of: table, text.bytes)
      }
    }
    return hashes
  }

  private static func hash(of table: ChainWriter.Table, _ row: [UInt8]) -> UInt128 {
    var hash = StableHash()
    hash.add(table.name)
    hash.add(bytes: row)
    return hash.value
  }

  private func sums(
    _ snapshot: PublishedSnapshot, _ connection: PostgresConnection, _ part: Int64
  ) throws -> [String] {
    let numbers = try [SharedClass.change, .fact, .cohort].reduce(into: [SharedClass: [Int64: Int64]]()) {
      $0[$1] = try snapshot.numbers(of: $1)
    }
    let changed = try Set(snapshot.changedSums())
    var known = try Set(snapshot.allSums()).subtracting(changed)
    let found = try connection.run(
      "SELECT series, grain, at, packed FROM part_sums WHERE part = $1", ["\(part)"])
    var different = 0
    for row in 0..<found.count {
      let key = SumWriter.key(found, row)
      guard !changed.contains(key), let bytes = found.bytes(row, 3) else { continue }
      known.remove(key)
      let own = try snapshot.sums(key, numbers[SharedClass(numbered: key.series)] ?? [:])
      if !bytes.elementsEqual(PackedSums.pack(own)) { different += 1 }
    }
    return Self.sentences([
      (different, "sums that differ from the store's"), (known.count, "sums that are missing on the server"),
    ])
  }

  private func totals(_ connection: PostgresConnection) throws -> [String] {
    var rest: [SumKey: [PackedSums.Element]] = [:]
    let totals = try connection.run("SELECT series, grain, at, packed FROM sums")
    for row in 0..<totals.count {
      if let bytes = totals.bytes(row, 3) { rest[SumWriter.key(totals, row)] = try PackedSums.unpack(bytes) }
    }
    let parts = try connection.run("SELECT series, grain, at, packed FROM part_sums")
    for row in 0..<parts.count {
      let key = SumWriter.key(parts, row)
      guard let bytes = parts.bytes(row, 3) else { continue }
      rest[key] = try PackedSums.adding(rest[key] ?? [], [], minus: PackedSums.unpack(bytes))
    }
    return Self.sentences([
      (rest.values.count { !$0.isEmpty }, "team totals that differ from the sum of the parts")
    ])
  }

  static func claimedTwice(_ connection: PostgresConnection) throws -> Int {
    let found = try connection.run(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM chains GROUP BY original_transaction_id, environment HAVING count(*) > 1) AS twice
      """)
    return Int(found.number(0, 0) ?? 0)
  }

  private static func sentences(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\($0.1) (\($0.0))" }
  }
}
