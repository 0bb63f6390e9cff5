import AppStore
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct UntrustedAnswersTests {
  /// Customers with forged answers, out of nine, and the number of customers queried.
  @Test(arguments: [(1...9, 3), (1...2, 9), (2...9, 9)])
  func untrustedSignaturesStopTheApp(_ forged: ClosedRange<Int>, _ asked: Int) throws {
    let another = try #require(SigningAuthority())
    let scene = try ServerAPIScene { call, authority in
      let isForged = call.customer.last?.wholeNumberValue.map(forged.contains) ?? false
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      return ServerAPIAnswer.history(
        [ServerAPISweepTests.row(chain: call.customer)], by: isForged ? another : authority, revision: "1")
    }
    for number in 1...9 { try scene.add("200000000000000\(number)") }
    let summary = try scene.sweep(tries: 3, options: { $0.concurrency = 1 })
    #expect(Set(scene.calls.map(\.customer)).count == asked)
    guard asked < 9 else {
      #expect(summary.stopped == nil && summary.counts.validated == 9 - forged.count)
      #expect(summary.counts.retryLater == forged.count && summary.counts.retried == 2 * forged.count)
      return
    }
    #expect(summary.stopped == .untrusted && summary.counts.validated == 0)
    #expect(summary.counts.givenBack + summary.counts.retryLater == 9, "asked about or not, each is counted")
    #expect(
      summary.stoppedApps.first?.refusal?.contains("do not lead to the trusted root certificate") == true)
    #expect(try scene.store.status(at: scene.clock.now).dead == 0)
    #expect(
      try scene.store.sweeps(limit: 1, at: scene.clock.now).first?.stoppedApps
        == [StoppedApp(bundleID: ServerAPIScene.app, reason: .untrusted)])
  }

  enum Damage: String, CaseIterable, CustomTestStringConvertible {
    case anotherSignature = "its signature does not match its content"
    case cut = "it is not a JWS"

    var testDescription: String { rawValue }

    func row(of customer: String, by authority: SigningAuthority) -> String {
      let texts = [1, 2].map { authority.sign(ServerAPISweepTests.row($0, chain: customer)) }
      let parts = texts.map { $0.split(separator: ".") }
      return switch self {
      case .anotherSignature: (parts[0].dropLast() + parts[1].suffix(1)).joined(separator: ".")
      case .cut: String(texts[0].prefix(texts[0].count / 2))
      }
    }

    func answer(about customer: String, by authority: SigningAuthority) -> CannedReply {
      ServerAPIAnswer.json(
        ServerAPIAnswer.History(revision: "1", signedTransactions: [row(of: customer, by: authority)]))
    }
  }

  @Test(arguments: Damage.allCases) func damagedAnswersStopTheApp(_ damage: Damage) throws {
    let scene = try ServerAPIScene { call, authority in
      call.isHistory ? damage.answer(about: call.customer, by: authority) : ServerAPIAnswer.noStatuses
    }
    for number in 1...9 { try scene.add("200000000000000\(number)") }
    let summary = try scene.sweep(options: { ($0.concurrency, $0.tries) = (1, 3) })
    #expect(Set(scene.calls.map(\.customer)).count == 3)
    #expect(summary.stopped == .untrusted && summary.counts.validated == 0)
    #expect(summary.stoppedApps.first?.refusal?.contains(damage.rawValue) == true)
    #expect(try scene.store.status(at: scene.clock.now).dead == 0)
  }

  /// Statuses contain only the newest row.
  @Test func aHistoryThatIsEmptyForOnceIsAskedForAgain() throws {
    let isEmptied = Mutex(true)
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else {
        return ServerAPIAnswer.statuses(
          ServerAPISweepTests.row(12), ServerAPIAnswer.Renewal(signedDate: SceneClock.standard), by: authority
        )
      }
      let rows =
        isEmptied.withLock { $0 } || call.revision != nil ? [] : (1...12).map { ServerAPISweepTests.row($0) }
      return ServerAPIAnswer.history(rows, by: authority, revision: "end")
    }
    try scene.add(ServerAPIScene.customer)
    #expect(try scene.sweep().counts.newTransactions == 1)
    isEmptied.withLock { $0 = false }
    #expect(try scene.sweep(.all).counts.newTransactions == 11)
    #expect(try scene.sweep(.all).counts.newTransactions == 0)
    #expect(scene.calls.filter(\.isHistory).map(\.revision) == [nil, nil, "end"])
  }

  /// Once an app had a good answer, bad ones are retried, even if they come in a row.
  @Test(arguments: Damage.allCases) func damagedAnswersAmongOthersAreAskedForAgain(_ damage: Damage) throws {
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      return call.customer.hasSuffix("00")
        ? ServerAPIAnswer.history(
          [ServerAPISweepTests.row(chain: call.customer)], by: authority, revision: "1")
        : damage.answer(about: call.customer, by: authority)
    }
    for number in 100...150 { try scene.add("2000000000000\(number)") }
    let summary = try scene.sweep(tries: 2, options: { $0.concurrency = 1 })
    #expect(summary.stopped == nil && summary.counts.validated == 1)
    #expect(summary.counts.retryLater == 50 && summary.counts.retried == 50)
  }

  /// A retry would return the same signed data.
  @Test func unusableSignedDataIsRequestedOnce() throws {
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      var row = ServerAPISweepTests.row(chain: call.customer)
      if call.customer.hasSuffix("1") { row.productId = "\u{200B}" } else { row.environment = "Sandbox" }
      return ServerAPIAnswer.history([row], by: authority, revision: "1")
    }
    for number in 1...4 { try scene.add("200000000000000\(number)") }
    let summary = try scene.sweep(options: { $0.tries = 3 })
    #expect(scene.calls.count == 4 && summary.counts.retried == 0 && summary.counts.retryLater == 4)
    #expect(Set(try scene.reasons()).count == 2)
    #expect(try scene.reasons().contains { $0.contains("productId is blank") })
  }

  /// Customers with another app's answers, out of nine, customers queried per sweep, and number of sweeps.
  @Test(arguments: [(1...9, 3, 12), (2...9, 9, 1)])
  func answersOfAnotherAppStopTheAppWithoutRejections(
    _ others: ClosedRange<Int>, _ asked: Int, _ sweeps: Int
  ) throws {
    let scene = try ServerAPIScene { call, authority in
      let isOther = call.customer.last?.wholeNumberValue.map(others.contains) ?? false
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      let bundle = isOther ? "com.example.lite" : ServerAPIScene.app.rawValue
      return ServerAPIAnswer.history(
        [ServerAPISweepTests.row(chain: call.customer, bundle: bundle)], by: authority, revision: "1")
    }
    for number in 1...9 { try scene.add("200000000000000\(number)") }
    for _ in 1...sweeps {
      let before = scene.calls.count
      let summary = try scene.sweep(.all, options: { $0.concurrency = 1 })
      #expect(Set(scene.calls.dropFirst(before).map(\.customer)).count == asked)
      let counts = summary.counts
      #expect(counts.validated + counts.retryLater + counts.givenBack == 9 && counts.rejected == 0)
      #expect(summary.stopped == (asked < 9 ? .otherApp : nil))
      #expect(asked == 9 || summary.stoppedApps.first?.refusal?.contains("com.example.lite") == true)
      scene.clock.advance(Milliseconds.day)
    }
    #expect(try scene.store.status(at: scene.clock.now).dead == 0)
  }
}
