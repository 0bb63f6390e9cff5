import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Users with lines in billing retry, as receipts and their users come to be known.
@Suite struct FailingHoldersTests {
  private static func failing(
    _ original: String, of user: AppUserID?, at t: Instant, isPaid: Bool = false
  ) -> ImportedAnswer {
    var rows = [monthly(original, 0, 31) { $0.originalTransactionID = OriginalTransactionID(original) }]
    if isPaid {
      rows.append(
        monthly("\(original)0", 33, 61) { $0.originalTransactionID = OriginalTransactionID(original) })
    }
    var info = RenewalInfo()
    info.originalTransactionID = OriginalTransactionID(original)
    info.productID = rows[0].productID
    info.autoRenewStatus = true
    info.isInBillingRetryPeriod = !isPaid
    var answer = makeAnswer(at: t, rows[0], infos: [info])
    answer.transactions = rows
    return ImportedAnswer(answer: answer, status: 0, appUserID: user, observedAt: t)
  }

  private struct Step {
    var told: ImportedAnswer
    var users: Int
    var why: Comment
  }

  @Test func usersAreCountedOnce() throws {
    let shelf = try Shelf()
    let t = day(35)
    let (u, v) = (AppUserID("u"), AppUserID("v"))
    let steps = [
      Step(told: Self.failing("1", of: nil, at: day(34)), users: 1, why: "a chain without a user is one"),
      Step(told: Self.failing("2", of: u, at: day(34)), users: 2, why: "and a user another"),
      Step(told: Self.failing("3", of: u, at: day(34)), users: 2, why: "who has two chains"),
      Step(
        told: Self.failing("1", of: u, at: day(34, hours: 1)), users: 1,
        why: "and turns out to have the first"),
      Step(told: Self.failing("4", of: v, at: day(34)), users: 2, why: "another one comes"),
      Step(told: Self.failing("4", of: v, at: day(34, hours: 2), isPaid: true), users: 1, why: "and pays"),
      Step(
        told: Self.failing("2", of: u, at: day(34, hours: 2), isPaid: true), users: 1, why: "one of three"),
      Step(
        told: Self.failing("3", of: u, at: day(34, hours: 2), isPaid: true), users: 1, why: "two of three"),
      Step(told: Self.failing("1", of: u, at: day(34, hours: 2), isPaid: true), users: 0, why: "all of them"),
    ]
    for step in steps {
      _ = try shelf.store.add([step.told], at: t)
      for environment in EnvironmentScope.allCases {
        let question = Question(panel: .billingRetry, at: t, environment: environment)
        let report = try shelf.store.report(question)
        #expect(report.data.billingRetry?.users == (environment == .sandbox ? 0 : step.users), step.why)
        #expect(differences(report, try shelf.store.report(question, isTallied: false)) == [])
      }
      let before = try shelf.table("failing_holders")
      try shelf.store.rebuild()
      #expect(try shelf.table("failing_holders") == before)
    }
  }
}

extension FailingHoldersTests {
  /// Two spellings of an accent are one `String`, and two users in the store.
  @Test func usersAreToldApartByTheirBytes() throws {
    let shelf = try Shelf()
    for (original, name) in [("1", "caf\u{E9}"), ("2", "cafe\u{301}"), ("3", "a b"), ("4", "A b")] {
      _ = try shelf.store.add([Self.failing(original, of: AppUserID(name), at: day(34))], at: day(35))
    }
    let question = Question(panel: .billingRetry, at: day(35))
    let report = try shelf.store.report(question)
    #expect(report.data.billingRetry?.users == 4)
    #expect(differences(report, try shelf.store.report(question, isTallied: false)) == [])
  }

  @Test(arguments: ["1", "\u{301}", "x y", "= ?31", "\u{600}", "", "-"])
  func anIntentIsReadAsItWasSpelled(_ intent: String) throws {
    let detail = LossDetail(isRevoked: false, isPaid: true, intent: ExpirationIntent(intent))
    #expect(LossDetail(detail.text + " 1440") == detail)
    #expect(LossDetail(LossDetail(isRevoked: true, isPaid: false, intent: nil).text + " ?31")?.intent == nil)
  }
}

extension Figures {
  fileprivate var billingRetry: BillingRetryFigures? {
    if case .billingRetry(let figures) = self { return figures }
    return nil
  }
}
