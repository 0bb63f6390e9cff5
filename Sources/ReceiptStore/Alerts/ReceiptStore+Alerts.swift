import GRDB
import Subscriptions

/// Something about an alert that is to be told once.
public struct AlertNews: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, Encodable {
    case raised, cleared
  }

  public let kind: Kind
  public let state: AlertState

  public init(_ kind: Kind, _ state: AlertState) { (self.kind, self.state) = (kind, state) }
}

extension ReceiptStore {
  /// The states with since when each is raised and when somebody was told of it.
  public func remembered(_ states: [AlertState]) throws(StoreError) -> [AlertState] {
    guard !states.isEmpty else { return [] }
    return try read("look at the alerts of") { db in
      try states.map { state in
        var state = state
        guard let row = try StoredAlert.read(state.alert, db) else { return state }
        if state.verdict != .clear, row.clearedAt == nil { state.raisedSince = row.raisedAt }
        state.toldAt = row.toldAt
        return state
      }
    }
  }

  /// Keeps what a sweep saw of alerts, and takes up what is to be told of it: nobody else is given the same until then.
  ///
  /// - Parameters:
  ///   - isTold: whether there is anybody to be told.
  ///   - patience: milliseconds after which what was taken up and neither told nor given back is anybody's again.
  public func takeUp(
    _ states: [AlertState], isTold: Bool, patience: Int64, at now: Instant
  ) throws(StoreError) -> [AlertNews] {
    guard !states.isEmpty else { return [] }
    defer { checkpoint() }
    return try write("keep the alerts of") { db in
      try states.compactMap { state in
        try StoredAlert.keep(state, at: now, db)
        guard isTold, let row = try StoredAlert.read(state.alert, db),
          // A claim of later than can be was made by a clock that ran ahead.
          row.claimedUntil.map({ $0 <= now || $0 > now + patience }) ?? true,
          let kind = row.news
        else { return nil }
        try db.execute(
          sql: "UPDATE alerts SET claimed_until_ms = ? WHERE name = ?",
          arguments: [now + patience, state.alert.name])
        var state = state
        state.raisedSince = row.raisedAt
        state.toldAt = row.toldAt
        return AlertNews(kind, state)
      }
    }
  }

  /// Ends what was taken up: it was told, or is to be told by the next sweep.
  public func conclude(_ news: AlertNews, wasTold: Bool, at now: Instant) throws(StoreError) {
    let name = news.state.alert.name
    defer { checkpoint() }
    try write("keep the alerts of") { db in
      switch (wasTold, news.kind) {
      case (false, _):
        try db.execute(sql: "UPDATE alerts SET claimed_until_ms = NULL WHERE name = ?", arguments: [name])
      case (true, .raised):
        try db.execute(
          sql: "UPDATE alerts SET claimed_until_ms = NULL, told_at_ms = ? WHERE name = ?",
          arguments: [now, name])
      case (true, .cleared):
        // Raised again meanwhile, it is a new one that nobody was told of.
        try db.execute(
          sql: "DELETE FROM alerts WHERE name = ? AND cleared_at_ms IS NOT NULL", arguments: [name])
        try db.execute(
          sql: "UPDATE alerts SET claimed_until_ms = NULL, told_at_ms = NULL WHERE name = ?",
          arguments: [name])
      }
    }
  }
}

/// A row of `alerts`.
private struct StoredAlert {
  let raisedAt: Instant
  let toldAt: Instant?
  let clearedAt: Instant?
  let claimedUntil: Instant?

  /// What nobody was told yet.
  var news: AlertNews.Kind? {
    if clearedAt != nil { return toldAt == nil ? nil : .cleared }
    return toldAt == nil ? .raised : nil
  }

  /// Nil where it is not raised, or was under another condition.
  static func read(_ alert: Alert, _ db: Database) throws -> StoredAlert? {
    try FetchedRow.fetchOne(
      db,
      sql: """
        SELECT raised_at_ms, told_at_ms, cleared_at_ms, claimed_until_ms FROM alerts WHERE name = ? AND condition = ?
        """, arguments: [alert.name, alert.condition.text]
    ).map { try StoredAlert(raisedAt: $0[0], toldAt: $0[1], clearedAt: $0[2], claimedUntil: $0[3]) }
  }

  /// What is not known of an alert changes nothing.
  static func keep(_ state: AlertState, at now: Instant, _ db: Database) throws {
    let (name, condition) = (state.alert.name, state.alert.condition.text)
    switch state.verdict {
    case .unknown: return
    case .raised:
      try db.execute(
        sql: """
          INSERT INTO alerts (name, condition, raised_at_ms) VALUES (?1, ?2, ?3)
          ON CONFLICT (name) DO UPDATE SET
            raised_at_ms = iif(condition = ?2, raised_at_ms, ?3),
            told_at_ms = iif(condition = ?2, told_at_ms, NULL),
            claimed_until_ms = iif(condition = ?2, claimed_until_ms, NULL),
            condition = ?2, cleared_at_ms = NULL
          """, arguments: [name, condition, now])
    case .clear:
      // Of what nobody was told, nobody need be told that it is over.
      try db.execute(
        sql: """
          DELETE FROM alerts WHERE name = ?1
            AND (condition <> ?2 OR (told_at_ms IS NULL AND ifnull(claimed_until_ms, 0) <= ?3))
          """, arguments: [name, condition, now])
      try db.execute(
        sql: "UPDATE alerts SET cleared_at_ms = ifnull(cleared_at_ms, ?) WHERE name = ?",
        arguments: [now, name])
    }
  }
}
