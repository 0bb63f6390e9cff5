import AppStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// Only chains that the receipt or the store proves to be the receipt's are accepted, and completely.
@Suite struct EvidencePartsTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// Rows of receipt 100 from `CannedAnswer.row`.
    var inApp: [String] = []
    var latest: [String] = []
    var infos: [String] = []
    var chains: Set<OriginalTransactionID> = []
    var rows: Set<TransactionID>
    var renewals: Set<OriginalTransactionID> = []
    var leftOut = 0
  }

  private static let own = ["1000", "1001"].map { TransactionID($0) }

  static let cases = [
    Case(
      testDescription: "a renewal that the receipt does not hold",
      latest: [CannedAnswer.row("100", 0), CannedAnswer.row("100", 1)],
      infos: [CannedAnswer.renewalInfo("100")], rows: Set(own), renewals: [OriginalTransactionID("1000")]),
    Case(
      testDescription: "a renewal alone, of a chain that the receipt began",
      latest: [CannedAnswer.row("100", 1)], rows: [own[1]]),
    Case(
      testDescription: "two customers merged",
      latest: [CannedAnswer.row("200", 0), CannedAnswer.row("100", 0)],
      infos: [CannedAnswer.renewalInfo("200"), CannedAnswer.renewalInfo("100")],
      rows: [own[0]], renewals: [OriginalTransactionID("1000")], leftOut: 1),
    Case(
      testDescription: "three customers merged",
      latest: [CannedAnswer.row("200", 0), CannedAnswer.row("100", 0), CannedAnswer.row("300", 0)],
      rows: [own[0]], leftOut: 2),
    Case(
      testDescription: "a merger that the store knows of",
      latest: [CannedAnswer.row("200", 0), CannedAnswer.row("100", 0)],
      chains: [OriginalTransactionID("2000")], rows: [own[0], TransactionID("2000")]),
    Case(
      testDescription: "renewals of a neighbour beside its own rows", latest: [CannedAnswer.row("100", 0)],
      infos: [CannedAnswer.renewalInfo("200")], rows: [own[0]], leftOut: 1),
    Case(
      testDescription: "a transaction of its own that is said to be of a neighbour's chain",
      latest: [
        CannedAnswer.row("100", 1),
        CannedAnswer.row("200", 0).replacing("\"2000\"", with: "\"1000\"", maxReplacements: 1),
      ],
      rows: [own[1]], leftOut: 1),
    Case(
      testDescription: "its own in in_app alone", inApp: [CannedAnswer.row("100", 0)], rows: [own[0]]),
    Case(
      testDescription: "a neighbour's in in_app beside its own",
      inApp: [CannedAnswer.row("100", 0), CannedAnswer.row("200", 0)], rows: [own[0]], leftOut: 1),
    Case(
      testDescription: "a neighbour's in in_app and its own in latest_receipt_info",
      inApp: [CannedAnswer.row("200", 0)], latest: [CannedAnswer.row("100", 0)], rows: [own[0]], leftOut: 1),
    Case(
      testDescription: "its own in in_app and a neighbour's in latest_receipt_info",
      inApp: [CannedAnswer.row("100", 0)], latest: [CannedAnswer.row("200", 0)], rows: [own[0]], leftOut: 1),
  ]

  @Test(arguments: cases) func isTakenAndCounted(_ one: Case) throws {
    var context = OutcomeContext(asked: .production)
    (context.receipt, context.chains) = (CannedReceipt.data("100", app: "com.example.app"), one.chains)
    let latest =
      one.latest.isEmpty ? "" : "\"latest_receipt_info\":[\(one.latest.joined(separator: ","))],"
    let body = """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app",
      "in_app":[\(one.inApp.joined(separator: ","))]},\(latest)
      "pending_renewal_info":[\(one.infos.joined(separator: ","))]}
      """
    let classification = ResponseClassification(
      .answered(HTTPAnswer(status: 200, body: Array(body.utf8))), in: context)
    guard case .answer(let answer) = classification.outcome else {
      Issue.record("\(classification.outcome)")
      return
    }
    #expect(Set(answer.transactions.map(\.transactionID)) == one.rows)
    #expect(Set(answer.renewalInfos.compactMap(\.originalTransactionID)) == one.renewals)
    #expect(classification.leftOut == one.leftOut)
  }
}
