import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct AlertTests {
  static let patience: Int64 = 60_000

  static func state(
    _ verdict: AlertState.Verdict, _ text: String = "refunds > 5", name: String = "a"
  ) throws -> AlertState {
    var state = AlertState(Alert(name, try AlertCondition(parsing: text)), at: day(0))
    state.verdict = verdict
    return state
  }

  private static func take(
    _ store: ReceiptStore, _ states: [AlertState], at now: Instant, hasRecipient: Bool = true
  ) throws -> [AlertNews] {
    try store.takeUp(states, hasRecipient: hasRecipient, patience: patience, at: now)
  }

  /// Hourly verdicts (R raised, C clear, U unknown) and the message sent after each (r, c or none).
  @Test(
    arguments: [
      ("rises, stays and clears", "RRRCCR", "r..c.r"), ("is clear", "CCC", "..."),
      ("is unknown in between", "RUURUC", "r....c"), ("is unknown first", "UUR", "..r"),
      ("comes and goes", "RCRCRC", "rcrcrc"),
    ])
  func isReportedOnce(_ name: String, _ verdicts: String, _ messages: String) throws {
    let shelf = try Shelf()
    for (hour, (verdict, expected)) in zip(verdicts, messages).enumerated() {
      let now = day(0, hours: Int64(hour))
      let state = try Self.state(verdict == "R" ? .raised : verdict == "C" ? .clear : .unknown)
      let news = try Self.take(shelf.store, [state], at: now)
      #expect(
        news.map(\.kind) == (expected == "r" ? [.raised] : expected == "c" ? [.cleared] : []), "\(hour)")
      for one in news { try shelf.store.conclude(one, wasDelivered: true, at: now) }
    }
  }

  @Test func aFailedDeliveryIsRepeated() throws {
    let shelf = try Shelf()
    let raised = try Self.state(.raised)
    for hour in 0..<3 {
      let news = try #require(try Self.take(shelf.store, [raised], at: day(0, hours: Int64(hour))).first)
      #expect(news.kind == .raised && news.state.raisedSince == day(0) && news.state.toldAt == nil)
      try shelf.store.conclude(news, wasDelivered: hour == 2, at: day(0, hours: Int64(hour)))
    }
    let known = try #require(try shelf.store.remembered([raised]).first)
    #expect(known.raisedSince == day(0) && known.toldAt == day(0, hours: 2))
    let over = try Self.state(.clear)
    for hour in 3..<5 {
      let news = try #require(try Self.take(shelf.store, [over], at: day(0, hours: Int64(hour))).first)
      #expect(news.kind == .cleared)
      try shelf.store.conclude(news, wasDelivered: hour == 4, at: day(0, hours: Int64(hour)))
    }
    #expect(try Self.take(shelf.store, [over], at: day(1)).isEmpty)
    #expect(try shelf.store.remembered([over]).first?.raisedSince == nil)
  }

  @Test func anUndeliveredAlertIsNotReportedAsCleared() throws {
    let shelf = try Shelf()
    let news = try #require(try Self.take(shelf.store, [Self.state(.raised)], at: day(0)).first)
    try shelf.store.conclude(news, wasDelivered: false, at: day(0))
    #expect(try Self.take(shelf.store, [Self.state(.clear)], at: day(0, hours: 1)).isEmpty)
    #expect(
      try Self.take(shelf.store, [Self.state(.raised)], at: day(0, hours: 2)).first?.state.raisedSince
        == day(0, hours: 2))
  }

  /// After `patience`, another process may take a message whose process was killed.
  @Test func isClaimedAgainAfterATimeout() throws {
    let shelf = try Shelf()
    let raised = try Self.state(.raised)
    #expect(try Self.take(shelf.store, [raised], at: day(0)).count == 1)
    #expect(try Self.take(shelf.store, [raised], at: day(0) + Self.patience - 1).isEmpty)
    #expect(try Self.take(shelf.store, [raised], at: day(0) + Self.patience).count == 1)
    #expect(try Self.take(shelf.store, [raised], at: day(-1)).count == 1)
  }

  @Test func anotherConditionIsAnotherAlert() throws {
    let shelf = try Shelf()
    let first = try #require(try Self.take(shelf.store, [Self.state(.raised)], at: day(0)).first)
    try shelf.store.conclude(first, wasDelivered: true, at: day(0))
    let other = try Self.state(.raised, "refunds > 6")
    #expect(try shelf.store.remembered([other]).first?.raisedSince == nil)
    let news = try #require(try Self.take(shelf.store, [other], at: day(1)).first)
    #expect(news.kind == .raised && news.state.raisedSince == day(1))
    // Changing the condition must not send a message that the old alert is over.
    try shelf.store.conclude(news, wasDelivered: true, at: day(1))
    #expect(try Self.take(shelf.store, [Self.state(.clear, "refunds > 7")], at: day(2)).isEmpty)
  }

  @Test func isNotReportedWithoutARecipient() throws {
    let shelf = try Shelf()
    let raised = try Self.state(.raised)
    #expect(try Self.take(shelf.store, [raised], at: day(0), hasRecipient: false).isEmpty)
    #expect(try shelf.store.remembered([raised]).first?.raisedSince == day(0))
    #expect(try Self.take(shelf.store, [raised], at: day(1)).first?.state.raisedSince == day(0))
  }

  @Test(.timeLimit(.minutes(10))) func isReportedByOneOfTwoProcesses() async throws {
    let shelf = try Shelf()
    let other = try ReceiptStore(path: shelf.path)
    let states = try (0..<20).map { try Self.state(.raised, name: "a\($0)") }
    let names = try await withThrowingTaskGroup(of: [String].self) { group in
      for store in [shelf.store, other] {
        group.addTask {
          var names: [String] = []
          for state in states {
            for news in try Self.take(store, [state], at: day(0)) {
              names.append(news.state.alert.name)
              try store.conclude(news, wasDelivered: true, at: day(0))
            }
          }
          return names
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(names.sorted() == states.map(\.alert.name).sorted())
  }
}
