import AppStore
import Sweep
import Testing

@Suite struct QuestionBodyTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var receipt = "MIIT0gYJKoZIhvcNAQcCoIITwzCCE78+/A=="
    var secret = "0123456789abcdef0123456789abcdef"
    var isWithoutOld = false
  }

  static let cases: [Case] = [
    Case(testDescription: "as they are"),
    Case(testDescription: "without old transactions", isWithoutOld: true),
    Case(testDescription: "no receipt", receipt: ""),
    Case(testDescription: "a large receipt", receipt: String(repeating: "QUJD", count: 500_000)),
    Case(testDescription: "a receipt that is no base64", receipt: #"MII","password":"x"#),
    Case(testDescription: "quotes and backslashes", secret: #"a"b\c\\"}"#),
    Case(testDescription: "a tab and other controls within", secret: "a\tb\u{1}c\u{1F}d\u{7F}"),
    Case(testDescription: "letters of other alphabets", secret: "пароль 密码 🔑"),
  ]

  @Test(arguments: cases) func roundTripsThroughTheRequestDecoder(_ one: Case) throws {
    let secret = try #require(SharedSecret(one.secret))
    let body = try secret.question(about: one.receipt, excludingOldTransactions: one.isWithoutOld)
    let request = try VerifyReceiptRequest(decoding: body.withBytes { Array($0) })
    #expect(request.receiptData == one.receipt)
    #expect(request.password == one.secret)
    #expect(request.excludeOldTransactions == one.isWithoutOld)
  }

  @Test func isMinimal() throws {
    let secret = try #require(SharedSecret("s"))
    let text = { (isWithoutOld: Bool) in
      try secret.question(about: "MII+/=", excludingOldTransactions: isWithoutOld)
        .withBytes { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try text(false) == #"{"password":"s","receipt-data":"MII+/="}"#)
    #expect(try text(true) == #"{"exclude-old-transactions":true,"password":"s","receipt-data":"MII+/="}"#)
  }
}
