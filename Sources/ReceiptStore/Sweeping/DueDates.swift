import GRDB
import Subscriptions

/// Due dates of receipts, from the policy and the state of their lines.
struct DueDates {
  let db: Database
  let policy: DuePolicy
  let now: Instant

  func next(_ receipt: ReceiptID, of user: AppUserID?, lines: ReceiptLineStates) -> DuePolicy.Due {
    policy.nextDue(
      for: lines.prospects(of: user, important: policy.important), at: now,
      chance: Self.chance(receipt, at: now))
  }

  /// Returns a pseudorandom position in the jitter range, from 0 to below 1 (SplitMix64).
  ///
  /// It depends only on the arguments, so the same answers at the same instants produce the same store.
  private static func chance(_ receipt: ReceiptID, at now: Instant) -> Double {
    var z = UInt64(bitPattern: receipt.rawValue) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: now.rawValue)
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Double(z >> 11) / Double(UInt64(1) << 53)
  }

  /// Makes receipts due that were scheduled or checked while the clock was ahead; deletes old leases.
  func clampFutureDates() throws {
    try db.execute(
      sql: "UPDATE receipts SET next_due_at_ms = ? WHERE next_due_at_ms > ?",
      arguments: [now, now + policy.longestWait + Milliseconds.day])
    let ranAhead = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sweeps WHERE started_at_ms > ?)",
      arguments: [now + Milliseconds.minute])
    try db.execute(sql: "DELETE FROM leases WHERE until_ms <= ?", arguments: [now - Milliseconds.day])
    guard ranAhead == true else { return }
    try db.execute(
      sql: """
        UPDATE receipts SET next_due_at_ms = ?1
        WHERE last_checked_at_ms > ?2 AND has_contents AND dead_reason IS NULL AND next_due_at_ms > ?1
        """, arguments: [now, now + Milliseconds.minute])
  }

  /// Recomputes a page of due dates as of each receipt's last check; returns the last id (`nil` at the end).
  ///
  /// New, failing and requested receipts keep their due dates, which do not depend on the policy.
  func renew(after: ReceiptID, limit: Int) throws -> ReceiptID? {
    let rows: [(ReceiptID, AppUserID, Instant)] = try db.rows(
      """
      SELECT id, app_user_id, last_checked_at_ms, next_due_at_ms FROM receipts
      WHERE id > ? AND has_contents AND dead_reason IS NULL AND attempts = 0 AND last_checked_at_ms IS NOT NULL
        AND ifnull(due_rule, '') <> 'new'
      ORDER BY id LIMIT ?
      """, [after, limit]
    ) { try ($0.read(0), $0.read(1), $0.read(2)) }
    let update = try db.cachedStatement(
      sql: "UPDATE receipts SET next_due_at_ms = ?, due_rule = ? WHERE id = ?")
    for (id, user, checked) in rows {
      let due = DueDates(db: db, policy: policy, now: checked).next(
        id, of: user, lines: try ReceiptLineStates.fetch(ofReceipt: id, at: checked, db))
      try update.execute(arguments: [due.at, due.rule.rawValue, id])
    }
    return rows.last?.0
  }
}

extension ReceiptStore {
  /// Recomputes the due dates if another policy computed them, in commits of 2,000, so that other writers can
  /// write in between; after an interruption, the next sweep starts again.
  func bringDueDatesUpToDate(at now: Instant) throws(StoreError) {
    let digest = policy.digest
    let isUpToDate = try read("read the re-check schedule of") { db in
      try String.fetchOne(db, sql: "SELECT digest FROM due_policy") == digest
    }
    guard !isUpToDate else { return }
    var last = ReceiptID?.some(ReceiptID(rawValue: 0))
    while let after = last {
      last = try write("reschedule receipts in") { db in
        try DueDates(db: db, policy: policy, now: now).renew(after: after, limit: 2000)
      }
      BusyHandler.yieldToWriters()
    }
    try write("reschedule receipts in") { db in
      try db.execute(sql: "DELETE FROM due_policy")
      try db.execute(sql: "INSERT INTO due_policy (digest) VALUES (?)", arguments: [digest])
    }
  }
}

extension DuePolicy {
  fileprivate var digest: String {
    let spans = aroundExpiry.sorted() + Rule.allCases.map(wait) + [longLapsedAfter, important.within]
    let words =
      spans.map(String.init) + ["\(jitter)"] + important.products.sorted().map(\.rawValue) + [""]
      + important.users.sorted().map(\.rawValue)
    var hash = StableHash()
    for word in words { hash.add(word) }
    return hash.value.hexadecimal
  }
}
