import FakeAppStore
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Compares a store that only receives notifications with one that sweeps through the Server API.
///
/// It knows less: nothing before the first notification, only the new transaction of an upgrade (METRICS §2),
/// and no accounts that are gone, so their lines stay overdue (METRICS §3). Everything else must be equal:
/// all received rows, and the positions of lines known from their first purchase.
@Suite(.blocking) struct NotificationsAloneTests {
  @Test(.tags(.long), arguments: seeds(3, sanitized: 1)) func notificationsAgreeWithSweeps(
    _ seed: UInt64
  ) async throws {
    var random = Seeded(seed &+ 40)
    let scene = try await SourcesScene(subscribers: 60, seed: seed &+ 20)
    let swept = try SourceLearner("the Server API", scene)
    let alone = try SourceLearner("notifications alone", scene, hasReceipts: false)
    let shuffled = try SourceLearner("notifications in any order", scene, hasReceipts: false)
    let began = scene.clock.now - 180 * Milliseconds.day
    scene.clock.advance(by: 3 * Milliseconds.day)
    let news = try scene.notifications(after: began)
    for learner in [alone, shuffled, swept] { learner.expect(news) }
    try alone.deliverInOrder()
    try swept.deliverInOrder()
    try shuffled.deliverInAnyOrder(&random)
    try shuffled.deliverInAnyOrder(isLast: true, &random)
    try await swept.sweep(throughServerAPI: true)

    let now = scene.clock.now
    let known = try KnownChains(alone.store, at: now, hasMoney: true)
    let order = try KnownChains(shuffled.store, at: now, hasMoney: true).differences(from: known)
    #expect(order.prefix(3) == [] && known.texts.count > 20, "\(order.count) chains")
    let figures = try PlainFigures(shuffled.store, at: [now, now - 20 * Milliseconds.day], hasMoney: true)
      .differences(from: PlainFigures(alone.store, at: [now, now - 20 * Milliseconds.day], hasMoney: true))
    #expect(figures.prefix(5) == [], "\(figures.count) figures")

    let lines = Dictionary(uniqueKeysWithValues: try swept.store.evidenceLedger().lines.map { ($0.id, $0) })
    var (rows, whole) = (0, 0)
    for line in try alone.store.evidenceLedger().lines {
      let other = try #require(lines[line.id], "\(line.id)")
      rows += Self.expectSameRows(line, other)
      guard Self.isWhole(line, besides: other) else { continue }
      whole += 1
      for t in [now, now - Milliseconds.day, now - 10 * Milliseconds.day, now - 60 * Milliseconds.day] {
        #expect(
          Self.position(of: line, at: t) == Self.position(of: other, at: t),
          "\(line.id.originalTransactionID) at \(t.iso8601)")
      }
    }
    #expect(rows > 100 && whole > 8, "\(rows) rows, \(whole) whole lines")
  }

  /// - Returns: Number of rows compared.
  private static func expectSameRows(_ line: Line, _ other: Line) -> Int {
    let known = Dictionary(uniqueKeysWithValues: other.rows.map { ($0.id, $0) })
    for row in line.rows {
      guard let same = known[row.id] else {
        Issue.record("\(row.id) is not in the history")
        continue
      }
      #expect(row.kind == same.kind && row.productID == same.productID && row.purchase == same.purchase)
      #expect(row.expires == same.expires && row.price == same.price, "\(row.id)")
      // Only the history shows that a row was upgraded.
      guard !same.transaction.isUpgraded else { continue }
      #expect(row.isRefund == same.isRefund, "\(row.id)")
      #expect(row.effectiveEnd == same.effectiveEnd, "\(row.id)")
    }
    return line.rows.count
  }

  /// Whether notifications cover the whole line.
  private static func isWhole(_ line: Line, besides other: Line) -> Bool {
    other.goneAt == nil && line.rows.map(\.id) == other.rows.map(\.id)
      && !other.rows.contains { $0.transaction.isUpgraded }
  }

  private static func position(of line: Line, at t: Instant) -> String {
    guard let position = line.timeline.position(at: t) else { return "none" }
    let row = line.rows[position.row].id
    // Family members get no notification if the purchaser turns off auto-renew.
    let autoRenew = line.isFamilyShared ? nil : position.autoRenew
    return "\(position.state) \(row) \(String(describing: position.reason)) \(String(describing: autoRenew))"
  }
}
