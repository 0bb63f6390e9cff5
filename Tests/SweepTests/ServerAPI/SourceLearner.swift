import FakeAppStore
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Store that learns from one or several sources.
final class SourceLearner {
  let name: String
  let store: ReceiptStore
  private let scene: SourcesScene
  private var waiting: [SignedNotification] = []
  private var delivered: [SignedNotification] = []
  private var pages: [[ImportedAnswer]] = []
  private(set) var replays = 0

  init(_ name: String, _ scene: SourcesScene) throws {
    (self.name, self.scene) = (name, scene)
    store = try scene.store(name, isPriced: true)
  }

  func sweep(throughServerAPI: Bool) async throws {
    let summary = try await scene.sweep(store, throughServerAPI: throughServerAPI)
    #expect(summary.counts.retryLater == 0, "\(name): \(summary.counts)")
  }

  func expect(_ news: [SignedNotification]) { waiting += news }

  func deliverInOrder() throws {
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(20))
      waiting.removeFirst(batch.count)
      try deliver(batch)
    }
  }

  /// Delivers waiting notifications in random order, all if `isLast`, repeats some, and adds old ones.
  func deliverInAnyOrder(isLast: Bool = false, _ random: inout Seeded) throws {
    waiting.shuffle(using: &random)
    var due = isLast ? waiting[...] : waiting.prefix(Int.random(in: 0...waiting.count, using: &random))
    waiting.removeFirst(due.count)
    while !due.isEmpty {
      let batch = due.prefix(Int.random(in: 1...6, using: &random))
      due.removeFirst(batch.count)
      let again = batch.filter { _ in random.chance(20) }
      let old = random.chance(30) ? delivered.randomElement(using: &random).map { [$0] } ?? [] : []
      try deliver((batch + again + old).shuffled(using: &random))
    }
  }

  private func deliver(_ batch: [SignedNotification]) throws {
    let outcomes = try scene.receive(batch, into: store)
    var known = Set(delivered.map(\.uuid))
    for (notification, outcome) in zip(batch, outcomes) {
      let isNew = known.insert(notification.uuid).inserted
      #expect(outcome == (isNew ? .kept : .replayed), "\(name): \(notification.uuid)")
      if isNew { delivered.append(notification) } else { replays += 1 }
    }
  }

  func remember() throws { pages.append(try scene.pages(of: store)) }

  /// Replays parts of recorded pages in random order.
  func turnBack(_ random: inout Seeded) throws {
    for page in pages.shuffled(using: &random) {
      let rows = page.filter { _ in random.chance(60) }.shuffled(using: &random)
      var left = [rows]
      let summary = try store.add(
        pages: { _ in left.popLast().map(ImportPage.items) ?? .end }, at: scene.clock.now)
      #expect(summary.newTransactions == 0, "\(name): a page that came again brought something")
      replays += rows.count
    }
  }
}
