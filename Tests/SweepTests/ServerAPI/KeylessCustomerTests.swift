import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// Customers without a receipt, known from notifications, in a setup without a Server API key.
@Suite(.blocking) struct KeylessCustomerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var secret: String?
    /// Whether customers are imported before receipts, and therefore swept first.
    var customersFirst = false
    var stopped: SweepSummary.Stop?
    var asked: [String] = []
  }

  static let cases = [
    Case(
      testDescription: "receipts are asked about with their secret", secret: "s", asked: ["/verifyReceipt"]),
    Case(
      testDescription: "also those behind a customer", secret: "s", customersFirst: true,
      asked: ["/verifyReceipt"]),
    Case(testDescription: "without a secret the app is stopped", stopped: .noSecret),
    Case(
      testDescription: "whichever is missed first is named", customersFirst: true, stopped: .noKey),
  ]

  @Test(arguments: cases) func areLeftUntilThereIsAKey(_ one: Case) throws {
    let app = ServerAPIScene.app.rawValue
    let scene = try ServerAPIScene { call, _ in
      call.path == "/verifyReceipt" ? CannedAnswer.valid("1", app: app) : .answer("", status: 500)
    }
    func addReceipt() throws {
      let receipt = ImportedReceipt(data: CannedReceipt.data("1", app: app), bundleID: ServerAPIScene.app)
      _ = try scene.store.add([receipt], at: scene.clock.now)
    }
    if !one.customersFirst { try addReceipt() }
    try scene.add(ServerAPIScene.customer, "2000000000000002")
    if one.customersFirst { try addReceipt() }
    let summary = try scene.sweep(.all, secret: one.secret, hasKey: false)
    #expect(summary.stopped == one.stopped)
    #expect(summary.counts.validated == one.asked.count)
    #expect(summary.counts.givenBack == 3 - one.asked.count)
    #expect(scene.calls.map(\.path) == one.asked)
    #expect(try scene.reasons().isEmpty, "they are as they were")
    #expect(try scene.store.status(at: scene.clock.now, check: false).dead == 0)
  }
}
