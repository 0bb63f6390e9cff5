import AppStore
import FoundationEssentials
import Subscriptions
import Testing

@Suite struct OwnAnswerTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// Chain of the receipt; `nil` if it is unreadable.
    var receipt: String?
    var rows: [String]
    var takes: [String]
    var keepsReceipt = true
  }

  private static let own = wireRow("2")
  private static let neighbours = wireRow("9", #""original_transaction_id": "9""#)

  static let cases = [
    Case(testDescription: "its own", receipt: "1", rows: [own], takes: ["1"]),
    Case(
      testDescription: "its own beside a neighbour's", receipt: "1", rows: [neighbours, own], takes: ["1"]),
    Case(
      testDescription: "a neighbour's receipt", receipt: "5", rows: [own], takes: ["1"], keepsReceipt: false),
    Case(testDescription: "a receipt that cannot be read", rows: [own], takes: ["1"]),
  ]

  @Test(arguments: cases) func aKeptAnswerHasIt(_ one: Case) throws {
    let json = wire(latest: one.rows).replacing("MIIB", with: one.receipt.map(Self.receipt) ?? "MIIB")
    let answer = try #require(try KeptResponse(decoding: Array(json.utf8)).ownAnswer)
    #expect(answer.namedChains.map(\.rawValue).sorted() == one.takes)
    #expect((answer.latestReceipt != nil) == one.keepsReceipt)
  }

  @Test(arguments: cases) func aNotificationHasItsReceipt(_ one: Case) throws {
    let json = body(rows: one.rows, pending: []).replacing(
      "MIIB", with: one.receipt.map(Self.receipt) ?? "MIIB")
    let notice = try notification(json)
    #expect((notice.answer.latestReceipt != nil) == one.keepsReceipt)
    #expect(notice.chainsOfReceipt.map(\.rawValue) == (one.receipt == "1" ? ["1"] : []))
  }

  private static func receipt(of chain: String) -> String {
    let ids = "transaction-id = \(chain); original-transaction-id = \(chain);"
    let purchase = "{ bid = \"com.example.app\"; \(ids) }"
    let info = Data(purchase.utf8).base64EncodedString()
    return Data("{ purchase-info = \"\(info)\"; }".utf8).base64EncodedString()
  }
}
