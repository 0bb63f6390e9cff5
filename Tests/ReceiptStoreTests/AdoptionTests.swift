import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Imports of a receipt and of an answer about it, each with and without the app user, in any order.
@Suite struct AdoptionTests {
  enum Came: String, Sendable {
    case receipt, answer
    case receiptOfUser = "the user's receipt"
    case answerOfUser = "the user's answer"
  }

  struct Order: CustomTestStringConvertible, Sendable {
    var came: [Came]
    var testDescription: String { came.map(\.rawValue).joined(separator: ", ") }
  }

  private static let user = AppUserID("u")
  private static let data = ReceiptData(trusted: "MIIB")

  private static let orders: [Order] = [
    Order(came: [.receiptOfUser, .answer, .answerOfUser]),
    Order(came: [.receiptOfUser, .answerOfUser, .answer]),
    Order(came: [.answer, .receiptOfUser, .answerOfUser]),
    Order(came: [.answer, .answerOfUser, .receiptOfUser]),
    Order(came: [.answerOfUser, .answer, .receiptOfUser]), Order(came: [.answer, .receiptOfUser]),
    Order(came: [.receipt, .answer, .receiptOfUser]), Order(came: [.receipt, .answerOfUser, .receiptOfUser]),
    Order(came: [.receipt, .receiptOfUser, .answer, .answerOfUser]),
  ]

  @Test(arguments: orders)
  func endsWithTheUser(_ order: Order) throws {
    let shelf = try Shelf()
    for (place, came) in order.came.enumerated() {
      let t = day(40, hours: Int64(place))
      switch came {
      case .receipt: _ = try shelf.store.add([ImportedReceipt(data: Self.data)], at: t)
      case .receiptOfUser:
        _ = try shelf.store.add([ImportedReceipt(data: Self.data, appUserID: Self.user)], at: t)
      case .answer, .answerOfUser:
        var answer = makeAnswer(at: t, monthly("1", 0, 30))
        answer.latestReceipt = Self.data
        let user = came == .answerOfUser ? Self.user : nil
        _ = try shelf.store.add(
          [ImportedAnswer(answer: answer, status: 0, appUserID: user, observedAt: t)], at: t)
      }
    }
    #expect(try shelf.store.status(at: day(50)).receipts == 1)
    let chain = try #require(try shelf.store.chains(matching: "1", at: day(50)).first)
    #expect(chain.appUserIds == [Self.user])
    #expect(chain.events.allSatisfy { $0.appUserID == Self.user })
    let derived = ["lines", "spans", "events", "sums"]
    let before = try derived.map { try shelf.table($0) }
    try shelf.store.rebuild()
    #expect(try derived.map { try shelf.table($0) } == before)
  }
}
