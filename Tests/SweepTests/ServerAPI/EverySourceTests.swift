import FakeAppStore
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Verifies that verifyReceipt, the Server API and notifications lead to the same chains and figures.
///
/// Notifications are late, repeated and out of order, and name some purchases by another transaction id.
@Suite(.blocking) struct EverySourceTests {
  /// Number of worlds, which `make soak` raises.
  private static let worlds =
    getenv("SUBTOP_SOAK_WORLDS").flatMap { UInt64(String(cString: $0)) }.map { max(3, $0 / 100) } ?? 2
  private static let subscribers = 20
  private static let rounds = 3
  /// Time between sweeps: over a week, so that some periods start and end unseen.
  private static let step = 9 * Milliseconds.day + Milliseconds.hour

  @Test(.tags(.long), arguments: seeds(worlds, sanitized: 1)) func anyOrderOfAllSources(
    _ seed: UInt64
  ) async throws {
    var random = Seeded(seed)
    let scene = try await SourcesScene(subscribers: Self.subscribers, seed: seed &+ 1)
    let receipts = try SourceLearner("verifyReceipt", scene)
    let serverAPI = try SourceLearner("the Server API", scene)
    let ordered = try SourceLearner("by turns", scene)
    let shuffled = try SourceLearner("in any order", scene)
    var last = scene.clock.now - 200 * Milliseconds.day
    var instants: [Instant] = []
    for round in 0..<Self.rounds {
      let news = try scene.notifications(after: last)
      last = scene.clock.now
      instants.append(last - (round == 1 ? 5 * Milliseconds.day : 0))
      for learner in [receipts, serverAPI, ordered] {
        learner.expect(news)
        try learner.deliverInOrder()
      }
      shuffled.expect(news)
      try shuffled.deliverInAnyOrder(&random)
      try await receipts.sweep(throughServerAPI: false)
      try await serverAPI.sweep(throughServerAPI: true)
      // The last round uses the Server API, the only source of all prices.
      let asksServerAPI = round == Self.rounds - 1 || random.chance(50)
      try await ordered.sweep(throughServerAPI: asksServerAPI)
      try await shuffled.sweep(throughServerAPI: asksServerAPI)
      try shuffled.remember()
      try shuffled.deliverInAnyOrder(&random)
      if round < Self.rounds - 1 { scene.clock.advance(by: Self.step) }
    }
    try shuffled.deliverInAnyOrder(isLast: true, &random)
    try shuffled.turnBack(&random)
    #expect(shuffled.replays > 20)
    instants.append(last + 40 * Milliseconds.day)

    // Order and repetitions must not matter, except for the signing dates of repeated facts.
    let lines = try Self.differences(
      shuffled.store.evidenceLedger().lines, ordered.store.evidenceLedger().lines)
    #expect(lines.prefix(3) == [], "\(lines.count) lines")
    try expectSame(shuffled, ordered, hasMoney: true, instants, scene.clock.now)
    try expectSame(ordered, serverAPI, hasMoney: true, instants, scene.clock.now)
    #expect(try ordered.store.evidenceLedger().lines.flatMap(\.rows).contains { !$0.duplicateIDs.isEmpty })
    // Receipts have no prices, and foreign prices differ from the catalog.
    try expectSame(receipts, serverAPI, hasMoney: false, instants, scene.clock.now)
  }

  private static func differences(_ lines: [Line], _ others: [Line]) -> [String] {
    func inOrder(_ lines: [Line]) -> [Line] {
      lines.map(withoutSigningDates).sorted { "\($0.id)" < "\($1.id)" }
    }
    let (ours, theirs) = (inOrder(lines), inOrder(others))
    guard ours.map(\.id) == theirs.map(\.id) else { return ["there are other lines"] }
    return zip(ours, theirs).filter { $0 != $1 }.map { line, other in
      var (one, two) = ("", "")
      dump(line, to: &one)
      dump(other, to: &two)
      let pairs = zip(one.split(separator: "\n"), two.split(separator: "\n"))
      return "\(line.id.originalTransactionID): "
        + (pairs.first { $0 != $1 }.map { "\($0) instead of \($1)" } ?? "")
    }
  }

  private static func withoutSigningDates(_ line: Line) -> Line {
    var line = line
    for place in line.rows.indices {
      line.rows[place].transaction.terms?.signedAt = .distantPast
      line.rows[place].transaction.terms?.pricedAt = nil
      for index in line.rows[place].transaction.terms?.revocations.indices ?? 0..<0 {
        line.rows[place].transaction.terms?.revocations[index].signedAt = .distantPast
      }
      line.rows[place].signedRenewal?.signedAt = .distantPast
      line.rows[place].renewalTerms?.signedAt = .distantPast
      line.rows[place].renewalTerms?.price?.signedAt = .distantPast
    }
    return line
  }

  private func expectSame(
    _ one: SourceLearner, _ other: SourceLearner, hasMoney: Bool, _ instants: [Instant], _ now: Instant
  ) throws {
    let (known, expected) = (
      try KnownChains(one.store, at: now, hasMoney: hasMoney),
      try KnownChains(other.store, at: now, hasMoney: hasMoney)
    )
    #expect(expected.texts.count > Self.subscribers / 2)
    let chains = known.differences(from: expected)
    #expect(chains.prefix(3) == [], "\(one.name) and \(other.name), \(chains.count) chains")
    let figures = try PlainFigures(one.store, at: instants, hasMoney: hasMoney)
      .differences(from: PlainFigures(other.store, at: instants, hasMoney: hasMoney))
    #expect(figures.prefix(8) == [], "\(one.name) and \(other.name), \(figures.count) figures")
  }
}
