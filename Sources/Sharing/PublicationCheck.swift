import ReceiptStore
import Subscriptions

/// Compares a part's published rows with its store, and the team's sums with the sums of the parts.
public struct PublicationCheck {
  private let server: SharedServer
  private let store: ReceiptStore

  public init(_ server: SharedServer, of store: ReceiptStore) { (self.server, self.store) = (server, store) }

  /// Returns the differences, in words; empty if there are none. Rows that changed since the last time the store
  /// was published are left out.
  public func differences() throws -> [String] {
    let connection = try PostgresConnection(server)
    try Publisher.requireTables(connection, server)
    return try store.snapshot { snapshot in
      try connection.transaction(SharedSchema(server).name, isReading: true) {
        guard try snapshot.hasEveryClass() else { return ["the store has classes that were not published"] }
        let parts = try connection.run("SELECT ordinal FROM shards WHERE part = $1", [server.part])
        guard parts.count > 0, let part = parts.number(0, 0) else { return ["the part was never published"] }
        return try chains(snapshot, connection) + sums(snapshot, connection, part) + totals(connection)
          + claimedTwice(connection)
      }
    }
  }

  private func chains(_ snapshot: PublishedSnapshot, _ connection: PostgresConnection) throws -> [String] {
    let (offset, writer) = (snapshot.state.offset, ChainWriter(connection, snapshot))
    let changed = try Set(snapshot.changedChains())
    let end = offset + PublicationState.rowsOfPart
    let found = try connection.run(
      "SELECT id, digest FROM chains WHERE id >= $1 AND id < $2", ["\(offset)", "\(end)"])
    var published: [Int64: String] = [:]
    for row in 0..<found.count { published[(found.number(row, 0) ?? 0) - offset] = found.text(row, 1) }
    for chain in changed { published[chain] = nil }
    var (last, missing, different) = (Int64(0), 0, 0)
    while case let page = try snapshot.chains(after: last, atMost: 500), let newest = page.last {
      last = newest
      for chain in page where !changed.contains(chain) {
        guard let digest = published.removeValue(forKey: chain) else {
          missing += 1
          continue
        }
        if try writer.rows(of: chain).digest != digest { different += 1 }
      }
    }
    return Self.sentences([
      (missing, "subscription histories are missing on the server"),
      (different, "subscription histories differ from the store's"),
      (published.count, "subscription histories on the server are not in the store"),
    ])
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
      (different, "sums differ from the store's"), (known.count, "sums are missing on the server"),
    ])
  }

  /// Checks that the sums of all parts are those of each part, added up.
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
      (rest.values.count { !$0.isEmpty }, "sums of all parts are not those of the parts added up")
    ])
  }

  /// Finds subscription histories in two parts, which are counted twice.
  private func claimedTwice(_ connection: PostgresConnection) throws -> [String] {
    let found = try connection.run(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM chains GROUP BY original_transaction_id, environment HAVING count(*) > 1) AS twice
      """)
    return Self.sentences([
      (Int(found.number(0, 0) ?? 0), "subscription histories are in two parts, so they count twice")
    ])
  }

  private static func sentences(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
