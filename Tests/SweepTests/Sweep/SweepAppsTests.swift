import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite(.blocking) struct SweepAppsTests {
  static let good = BundleID("com.example.good")
  static let bad = BundleID("com.example.bad")

  /// Store with receipts of two apps; Apple refuses the second app's secret.
  private static func scene(good: Int, bad: Int) throws -> SweepScene {
    let scene = try SweepScene(receipts: 0) { call in
      call.password == "refused"
        ? CannedAnswer.status(21004) : CannedAnswer.valid(call.receipt, app: Self.good.rawValue)
    }
    scene.secrets = SharedSecrets { app in SharedSecret(app == Self.bad ? "refused" : "taken") }
    var receipts: [ImportedReceipt] = []
    for number in 0..<max(good, bad) {
      if number < bad { receipts.append(receipt("MIIB\(100_000 + number)", of: Self.bad)) }
      if number < good { receipts.append(receipt("MIIG\(100_000 + number)", of: Self.good)) }
    }
    _ = try scene.store.add(receipts, at: scene.clock.now)
    return scene
  }

  private static func receipt(_ data: String, of app: BundleID) -> ImportedReceipt {
    ImportedReceipt(data: CannedReceipt.data(data, app: app.rawValue), appUserID: nil, bundleID: app)
  }

  @Test func aRefusedSecretStopsItsAppAndNoOther() throws {
    let scene = try Self.scene(good: 300, bad: 300)
    let summary = try scene.sweep(options: { $0.concurrency = 16 }).run()
    #expect(summary.stopped == .secretRefused)
    #expect(summary.stoppedApps == [StoppedApp(bundleID: Self.bad, reason: .secretRefused)])
    #expect(summary.counts.validated == 300)
    #expect(summary.counts.givenBack == 300)
    #expect(summary.counts.retryLater == 0)
    // Three refusals stop the app, so that its other receipts stay due.
    #expect(summary.counts.byStatus[21004] == AppBreakers.patience)
    #expect(try scene.status().dueNow == 300)
    #expect(try scene.status().dead == 0)
  }

  @Test func releasedReceiptsAreSweptOnceTheSecretIsRight() throws {
    let scene = try Self.scene(good: 3, bad: 40)
    _ = try scene.sweep().run()
    scene.secrets = SharedSecrets { _ in SharedSecret("taken") }
    #expect(try scene.sweep().run().counts.picked == 40)
  }

  @Test func anAppWithoutASecretIsLeftOutAndTheOthersAreSwept() throws {
    let scene = try Self.scene(good: 10, bad: 10)
    scene.secrets = SharedSecrets { app in app == Self.good ? SharedSecret("taken") : nil }
    let summary = try scene.sweep().run()
    #expect(summary.stopped == .noSecret)
    #expect(summary.stoppedApps == [StoppedApp(bundleID: Self.bad, reason: .noSecret)])
    #expect(summary.counts.validated == 10)
    #expect(scene.calls.allSatisfy { $0.password == "taken" })
  }

  @Test func receiptsOfUnlistedAppsAreNotSent() throws {
    let scene = try Self.scene(good: 10, bad: 10)
    scene.secrets = SharedSecrets { _ in SharedSecret("taken") }
    let summary = try scene.sweep(options: { $0.ourApps = [Self.good] }).run()
    #expect(summary.stopped == .notOurs)
    #expect(summary.stoppedApps == [StoppedApp(bundleID: Self.bad, reason: .notOurs)])
    #expect(summary.counts.validated == 10 && summary.counts.givenBack == 10)
    #expect(scene.calls.allSatisfy { $0.receipt.hasPrefix("MIIG") })
    #expect(try scene.status().dead == 0)
  }

  @Test func oneRefusalAmongAnswersIsAboutItsReceipt() throws {
    let scene = try SweepScene(receipts: 40, app: "com.example.app") { call in
      call.receipt.hasSuffix("5") ? CannedAnswer.status(21004) : CannedAnswer.valid(call.receipt)
    }
    let summary = try scene.sweep(options: { $0.concurrency = 1 }).run()
    #expect(summary.stopped == nil)
    #expect(summary.counts.validated == 36)
    #expect(summary.counts.retryLater == 4)
  }
}
