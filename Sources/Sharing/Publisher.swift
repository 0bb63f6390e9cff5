import ReceiptStore
import Subscriptions

/// Publishes a store's changes to a team's server.
///
/// A commit that publishes changes has a token, which the store records first. If the process or connection
/// ends during the commit, the next publication finds this token or the previous one on the server, and
/// writes the same rows again. Rows that the server already has do not change.
public final class Publisher {
  /// Points at which tests interrupt publishing.
  package enum Step: CaseIterable, Sendable {
    case begun, classesPublished, pagePublished, rowsPublished, beforeCommit, afterCommit
  }

  let server: SharedServer
  let schema: SharedSchema
  private let store: ReceiptStore
  private let clock: () -> Instant
  /// Called with the number of published chains and the number of all chains, while everything is published.
  public var progress: (Int, Int) -> Void = { _, _ in }
  package var interruption: (Step) throws -> Void = { _ in }
  /// Number of days, up to yesterday, whose figures are published.
  package var figureDays: Int64 = 400
  private static let chainsPerPage = 500

  public init(_ server: SharedServer, of store: ReceiptStore, clock: @escaping () -> Instant) {
    (self.server, self.store, self.clock) = (server, store, clock)
    schema = SharedSchema(server)
  }

  /// Creates the tables, and returns the `GRANT` statements for an administrator.
  public func makeTables() throws -> String {
    let connection = try PostgresConnection(server)
    guard connection.version >= 130_000 else {
      throw PostgresError(.unsuitable, "the server is too old: PostgreSQL 13 or newer is needed")
    }
    try connection.runAll("BEGIN")
    try connection.runAll(schema.statements())
    try connection.runAll("COMMIT")
    return schema.grants
  }

  private enum Extent {
    case changes
    /// Everything, in one transaction; readers see the previous rows until it commits.
    case again
    /// Everything, in many transactions; readers have no figures until the last one commits.
    case fill
  }

  /// Publishes everything that changed since the last publication; with `all`, publishes everything again,
  /// and replaces another store of the same name.
  public func publish(all: Bool = false) throws -> Published {
    let connection = try PostgresConnection(server)
    try Self.requireTables(connection, server)
    var published = Published()
    let extent = try identify(connection, all: all)
    if extent == .again { try store.forgetPublishedClasses() }
    try interruption(.begun)
    for _ in 0..<20 {
      try publishClasses(connection)
      try interruption(.classesPublished)
      if extent == .fill {
        guard try fill(connection, &published) else { continue }
      }
      guard try publishChanges(connection, extent, &published) else { continue }
      return published
    }
    throw PostgresError(.failed, "the store changes faster than it can be published; try again")
  }

  static func requireTables(_ connection: PostgresConnection, _ server: SharedServer) throws {
    let schema = SharedSchema(server)
    let found = try connection.run(
      "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY 1", ["\(server.schema)_v"])
    let names = (0..<found.count).compactMap { found.text($0, 0) }
    guard !names.contains(schema.name) else { return }
    let others =
      names.isEmpty ? "" : ", only \(names.map { PostgresConnection.clean($0) }.joined(separator: ", "))"
    throw PostgresError(
      .unsuitable,
      "\(PostgresConnection.place(of: server)) has no schema \(schema.name)\(others); run `subtop publish --init` once"
    )
  }

  /// Removes a part (one store) with all its published rows; throws an error if there is no such part.
  public static func remove(part: String, from server: SharedServer) throws {
    let connection = try PostgresConnection(server)
    try requireTables(connection, server)
    try connection.transaction(SharedSchema(server).name) {
      let found = try connection.run(
        "SELECT ordinal FROM shards WHERE part = $1 AND part <> '' FOR UPDATE", [part])
      guard let ordinal = found.count > 0 ? found.number(0, 0) : nil else {
        let name = PostgresConnection.clean(part)
        throw PostgresError(
          .unsuitable, "\(server.schema) has no part \(name); `subtop publish --status` lists the parts")
      }
      let first = ordinal * PublicationState.rowsOfPart
      try ChainWriter.delete(after: first - 1, through: first + PublicationState.rowsOfPart - 1, connection)
      let seq = try ChainWriter.lock(connection) + 1
      _ = try SumWriter(connection, nil, part: ordinal, seq: seq).write(isEverything: true)
      for table in ["shards", "terms", "figures"] {
        try connection.run("DELETE FROM \(table) WHERE part = $1", [part])
      }
      try connection.run("UPDATE shards SET seq = $1 WHERE part = ''", ["\(seq)"])
    }
  }

  // MARK: Identity

  /// Registers this store on the server, or checks that the part with its name was published by this store;
  /// returns the extent of the publication.
  private func identify(_ connection: PostgresConnection, all: Bool) throws -> Extent {
    try connection.transaction(schema.name) {
      _ = try ChainWriter.lock(connection)
      let found = try connection.run(
        "SELECT ordinal, store_id, token, state FROM shards WHERE part = $1", [server.part])
      let known = try store.publication()
      guard found.count > 0, let ordinal = found.number(0, 0) else {
        let last = try connection.run("SELECT max(ordinal) FROM shards").number(0, 0) ?? -1
        guard last + 1 < Int64(PublicationState.mostParts) else {
          throw PostgresError(.unsuitable, "the schema \(schema.name) has the maximum number of parts")
        }
        try begin(connection, ordinal: last + 1, known)
        return .fill
      }
      let isOwn = known.map { $0.storeID == found.text(0, 1) && self.isOwn(found.text(0, 2), $0) } ?? false
      let isReady = found.text(0, 3) == "ready"
      // The store keeps ten tokens. Tokens of interrupted publications must not displace the server's token.
      if isOwn, let token = found.text(0, 2), known?.tokens.last != token { try store.keep(token: token) }
      if all, isOwn, isReady { return .again }
      if all {
        try connection.run("DELETE FROM shards WHERE part = $1", [server.part])
        try begin(connection, ordinal: ordinal, known)
        return .fill
      }
      guard isOwn else {
        let part = PostgresConnection.clean(server.part)
        throw PostgresError(
          .unsuitable,
          "the part \(part) in \(schema.name) was published by another store, or by a newer state of this one that a backup has "
            + "replaced; set another part in [shared], or run `subtop publish --all` to replace it")
      }
      return isReady ? .changes : .fill
    }
  }

  private func isOwn(_ token: String?, _ state: PublicationState) -> Bool {
    token.map(state.tokens.contains) ?? false
  }

  private func begin(_ connection: PostgresConnection, ordinal: Int64, _ known: PublicationState?) throws {
    let token = Self.newToken
    let state = PublicationState(
      storeID: known?.storeID ?? Self.newToken, offset: ordinal * PublicationState.rowsOfPart, tokens: [token]
    )
    var row = CopyText()
    row.add(server.part)
    row.add(ordinal)
    for text in [state.storeID, token] { row.add(text) }
    row.add(0 as Int64)
    row.add("filling")
    row.add(0 as Int64)
    row.add(0 as Int64)
    row.endRow()
    try connection.copy(
      row, to: "shards",
      columns: ["part", "ordinal", "store_id", "token", "seq", "state", "filled_through", "as_of_ms"])
    try store.keep(state)
  }

  private static var newToken: String {
    String(UInt128.random(in: 0...(.max)), radix: 36)
  }

  // MARK: Classes

  private func publishClasses(_ connection: PostgresConnection) throws {
    for kind in SharedClass.allCases {
      while case let page = try store.unpublished(kind), !page.isEmpty {
        let numbers = try connection.transaction(schema.name) { try number(page, kind, connection) }
        try store.keep(numbers, of: kind)
      }
    }
  }

  private func number(
    _ page: [UnpublishedClass], _ kind: SharedClass, _ connection: PostgresConnection
  ) throws -> [Int64: Int64] {
    _ = try ChainWriter.lock(connection)
    let found = try connection.run(
      "SELECT id, key FROM classes WHERE kind = $1 AND key = ANY($2::text[])",
      ["\(kind.rawValue)", PostgresConnection.array(page.map(\.key))])
    var numbers: [String: Int64] = [:]
    for row in 0..<found.count { if let key = found.text(row, 1) { numbers[key] = found.number(row, 0) } }
    var last =
      try connection.run("SELECT max(id) FROM classes WHERE kind = $1", ["\(kind.rawValue)"]).number(0, 0)
      ?? 0
    var new = CopyText()
    for entry in page where numbers[entry.key] == nil {
      last += 1
      numbers[entry.key] = last
      new.add(Int64(kind.rawValue))
      new.add(last)
      new.add(entry.key)
      new.endRow()
    }
    try connection.copy(new, to: "classes", columns: ["kind", "id", "key"])
    return Dictionary(page.map { ($0.localID, numbers[$0.key] ?? 0) }, uniquingKeysWith: { $1 })
  }

  // MARK: Chains

  /// Publishes every chain after the last published one, in pages; returns `false` if the store has classes
  /// that have to be published first.
  private func fill(_ connection: PostgresConnection, _ published: inout Published) throws -> Bool {
    let total = try store.snapshot { try $0.chainCount() }
    var done = 0
    while true {
      let page = try store.snapshot { snapshot -> FillPage? in
        guard try snapshot.hasEveryClass() else { return nil }
        return try connection.transaction(schema.name) {
          try publishPage(snapshot, connection, &published)
        }
      }
      guard let page else { return false }
      try interruption(.pagePublished)
      done += page.chains
      progress(done, max(done, total))
      if page.isLast { return true }
    }
  }

  private struct FillPage {
    var chains: Int
    var isLast: Bool
  }

  private func publishPage(
    _ snapshot: PublishedSnapshot, _ connection: PostgresConnection, _ published: inout Published
  ) throws -> FillPage {
    let offset = snapshot.state.offset
    let part = try lockPart(connection, snapshot.state)
    let chains = try snapshot.chains(after: part.filledThrough, atMost: Self.chainsPerPage)
    let isLast = chains.count < Self.chainsPerPage
    let end = isLast ? PublicationState.rowsOfPart - 1 : chains.last ?? 0
    // Another store may have published chains with these ids.
    try ChainWriter.delete(after: part.filledThrough + offset, through: end + offset, connection)
    try ChainWriter(connection, snapshot).write(chains, isNew: true, &published)
    try connection.run(
      "UPDATE shards SET filled_through = $1 WHERE part = $2",
      ["\(isLast ? part.filledThrough : end)", server.part])
    if isLast, let last = chains.last {
      try connection.run("UPDATE shards SET filled_through = $1 WHERE part = $2", ["\(last)", server.part])
    }
    return FillPage(chains: chains.count, isLast: isLast)
  }

  /// Locks the store's row of `shards`, so that another process that publishes the store waits.
  private func lockPart(
    _ connection: PostgresConnection, _ state: PublicationState
  ) throws -> (ordinal: Int64, filledThrough: Int64) {
    let found = try connection.run(
      "SELECT ordinal, filled_through, store_id, token FROM shards WHERE part = $1 FOR UPDATE", [server.part])
    guard found.text(0, 2) == state.storeID, isOwn(found.text(0, 3), state) else {
      throw PostgresError(
        .unsuitable,
        "another program has published the part \(PostgresConnection.clean(server.part)); try again")
    }
    return (found.number(0, 0) ?? 0, found.number(0, 1) ?? 0)
  }

  // MARK: Changes

  /// Publishes the chains and sums of the journal, or all, in one transaction; returns `false` like `fill`.
  private func publishChanges(
    _ connection: PostgresConnection, _ extent: Extent, _ published: inout Published
  ) throws -> Bool {
    let token = Self.newToken
    let now = clock()
    if extent == .changes, try publishAge(connection, now) { return true }
    try store.keep(token: token)
    let through = try store.snapshot { snapshot -> Int64? in
      guard try snapshot.hasEveryClass() else { return nil }
      return try connection.transaction(schema.name) {
        let part = try lockPart(connection, snapshot.state)
        let writer = ChainWriter(connection, snapshot)
        if extent == .again {
          try publishAgain(snapshot, connection, &published)
        } else {
          for page in try snapshot.changedChains().chunks(of: Self.chainsPerPage) {
            try writer.write(page, isNew: false, &published)
          }
        }
        try figures(snapshot, connection).write(isEverything: extent != .changes, at: now)
        try interruption(.rowsPublished)
        let seq = try ChainWriter.lock(connection) + 1
        let sums = SumWriter(connection, snapshot, part: part.ordinal, seq: seq)
        published.sums += try sums.write(isEverything: extent != .changes)
        try record(snapshot, connection, token, seq, now)
        try interruption(.beforeCommit)
        return try snapshot.journalSeq()
      }
    }
    guard let through else { return false }
    try interruption(.afterCommit)
    try store.forgetJournal(through: through)
    return true
  }

  private func publishAgain(
    _ snapshot: PublishedSnapshot, _ connection: PostgresConnection, _ published: inout Published
  ) throws {
    let (offset, total) = (snapshot.state.offset, try snapshot.chainCount())
    let writer = ChainWriter(connection, snapshot)
    try ChainWriter.delete(
      after: offset - 1, through: offset + PublicationState.rowsOfPart - 1, connection)
    var last = Int64(0)
    while case let page = try snapshot.chains(after: last, atMost: Self.chainsPerPage), let newest = page.last
    {
      try writer.write(page, isNew: true, &published)
      last = newest
      progress(published.chains, total)
    }
  }

  /// If no row has changed, publishes only the current instant, the totals and the figures of ended days, and
  /// returns `true`, so that readers keep the rows that they have fetched.
  private func publishAge(_ connection: PostgresConnection, _ now: Instant) throws -> Bool {
    try store.snapshot { snapshot in
      guard try snapshot.isUnchanged() else { return false }
      return try connection.transaction(schema.name) {
        _ = try lockPart(connection, snapshot.state)
        try figures(snapshot, connection).write(isEverything: false, at: now)
        try recordNumbers(snapshot, connection, now)
        return true
      }
    }
  }

  private func figures(_ snapshot: PublishedSnapshot, _ connection: PostgresConnection) -> FigureWriter {
    FigureWriter(connection: connection, snapshot: snapshot, part: server.part, mostDays: figureDays)
  }

  private func recordNumbers(
    _ snapshot: PublishedSnapshot, _ connection: PostgresConnection, _ now: Instant
  ) throws {
    let numbers = try snapshot.numbers(at: now)
    let assignments = SharedSchema.numbers.enumerated().map { "\($1) = $\($0 + 4)" }.joined(separator: ", ")
    try connection.run(
      "UPDATE shards SET as_of_ms = $1, currency = $2, \(assignments) WHERE part = $3",
      ["\(now.rawValue)", numbers.currency?.rawValue, server.part] + numbers.columns)
  }

  private func record(
    _ snapshot: PublishedSnapshot, _ connection: PostgresConnection, _ token: String, _ seq: Int64,
    _ now: Instant
  ) throws {
    try recordNumbers(snapshot, connection, now)
    try connection.run(
      "UPDATE shards SET token = $1, seq = $2, state = 'ready' WHERE part = $3",
      [token, "\(seq)", server.part])
    try connection.run("UPDATE shards SET seq = $1 WHERE part = ''", ["\(seq)"])
    let terms = try snapshot.terms()
    let known = try connection.run("SELECT body FROM terms WHERE part = $1", [server.part])
    guard known.count == 0 || known.text(0, 0) != terms else { return }
    try connection.run("DELETE FROM terms WHERE part = $1", [server.part])
    var row = CopyText()
    row.add(server.part)
    row.add(terms)
    row.endRow()
    try connection.copy(row, to: "terms", columns: ["part", "body"])
  }
}

extension PublishedNumbers {
  /// Values in the order of `SharedSchema.numbers`.
  fileprivate var columns: [String?] {
    [
      "\(receipts)", "\(lines)", "\(transactions)", "\(chains)", "\(due)", "\(dead)",
      firstPurchase.map { "\($0.rawValue)" }, "\(rates)", isWhole ? "1" : "0", "\(rollupVersion)",
    ]
  }
}

extension Array {
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
