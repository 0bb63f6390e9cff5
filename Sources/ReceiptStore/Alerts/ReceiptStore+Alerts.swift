import GRDB
import Subscriptions

/// Change of an alert's state that has not been reported yet.
public struct AlertNews: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, Encodable {
    case raised, cleared
  }

  public let kind: Kind
  public let state: AlertState
}

extension ReceiptStore {
  /// Returns `states`, each with the stored instants at which its alert was raised and reported.
  public func remembered(_ states: [AlertState]) throws(StoreError) -> [AlertState] {
    guard !states.isEmpty else { return [] }
    return try read("read the alerts of") { db in
      try states.map { state in
        var state = state
        guard let row = try StoredAlert.read(state.alert, db) else { return state }
        if state.verdict != .clear, row.clearedAt == nil { state.raisedSince = row.raisedAt }
        state.toldAt = row.toldAt
        return state
      }
    }
  }

  /// Saves alert states, and returns the changes that this process must report.
  ///
  /// Each returned change is claimed for this process, so that no other process reports it.
  ///
  /// - Parameters:
  ///   - hasRecipient: Whether alerts have a recipient; if not, no change is claimed or returned.
  ///   - patience: Milliseconds after which a claim expires, in case the process that made it was killed.
  public func takeUp(
    _ states: [AlertState], hasRecipient: Bool, patience: Int64, at now: Instant
  ) throws(StoreError) -> [AlertNews] {
    guard !states.isEmpty else { return [] }
    defer { checkpoint() }
    return try write("save the alerts of") { db in
      try states.compactMap { state in
        try StoredAlert.keep(state, at: now, db)
        guard hasRecipient, let row = try StoredAlert.read(state.alert, db),
          // Ignore a claim that ends later than a new one would: the clock was ahead when it was made.
          row.claimedUntil.map({ $0 <= now || $0 > now + patience }) ?? true,
          let kind = row.news
        else { return nil }
        try db.execute(
          sql: "UPDATE alerts SET claimed_until_ms = ? WHERE name = ?",
          arguments: [now + patience, state.alert.name])
        var state = state
        state.raisedSince = row.raisedAt
        state.toldAt = row.toldAt
        return AlertNews(kind: kind, state: state)
      }
    }
  }

  public func conclude(_ news: AlertNews, wasDelivered: Bool, at now: Instant) throws(StoreError) {
    let name = news.state.alert.name
    defer { checkpoint() }
    try write("save the alerts of") { db in
      switch (wasDelivered, news.kind) {
      case (false, _):
        try db.execute(sql: "UPDATE alerts SET claimed_until_ms = NULL WHERE name = ?", arguments: [name])
      case (true, .raised):
        try db.execute(
          sql: "UPDATE alerts SET claimed_until_ms = NULL, told_at_ms = ? WHERE name = ?",
          arguments: [now, name])
      case (true, .cleared):
        // If the alert was raised again in the meantime, keep its row and report it as a new alert.
        try db.execute(
          sql: "DELETE FROM alerts WHERE name = ? AND cleared_at_ms IS NOT NULL", arguments: [name])
        try db.execute(
          sql: "UPDATE alerts SET claimed_until_ms = NULL, told_at_ms = NULL WHERE name = ?",
          arguments: [name])
      }
    }
  }
}

private struct StoredAlert {
  let raisedAt: Instant
  let toldAt: Instant?
  let clearedAt: Instant?
  let claimedUntil: Instant?

  var news: AlertNews.Kind? {
    if clearedAt != nil { return toldAt == nil ? nil : .cleared }
    return toldAt == nil ? .raised : nil
  }

  /// Returns the stored row of an alert; `nil` if there is none with the alert's current condition.
  static func read(_ alert: Alert, _ db: Database) throws -> StoredAlert? {
    try db.rows(
      """
      SELECT raised_at_ms, told_at_ms, cleared_at_ms, claimed_until_ms FROM alerts WHERE name = ? AND condition = ?
      """, [alert.name, alert.condition.text]
    ) {
      try StoredAlert(
        raisedAt: $0.read(0), toldAt: $0.read(1), clearedAt: $0.read(2), claimedUntil: $0.read(3))
    }.first
  }

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
      // If the raising of an alert was never reported, its end needs no report.
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
