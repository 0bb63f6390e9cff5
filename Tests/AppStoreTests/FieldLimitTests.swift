import AppStore
import Subscriptions
import TestSupport
import Testing

/// Values at a limit are accepted; larger ones are rejected with the name of the field and the limit.
@Suite struct FieldLimitTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let good: String
    let bad: String
    let says: String

    init(_ name: String, _ good: String, _ bad: String, says: String) {
      (testDescription, self.good, self.bad, self.says) = (name, good, bad, says)
    }

    /// Text at its limit, and one byte longer.
    init(_ name: String, _ limit: Int, _ json: (String) -> String) {
      let text = { String(repeating: "7", count: $0) }
      self.init(
        name, json(text(limit)), json(text(limit + 1)), says: "\(name) is longer than \(limit) bytes")
    }
  }

  private static func row(_ member: String, _ value: String) -> String {
    member == "transaction_id"
      ? wire(latest: [wireRow(value)]) : wire(latest: [wireRow("1", "\"\(member)\": \"\(value)\"")])
  }

  private static func pending(_ member: String, _ value: String) -> String {
    wire(pending: ["{\"\(member)\": \"\(value)\"}"])
  }

  private static let texts: [Case] =
    [
      ("transaction_id", 128), ("original_transaction_id", 128), ("web_order_line_item_id", 128),
      ("subscription_group_identifier", 128), ("app_account_token", 128), ("product_id", 255),
      ("promotional_offer_id", 512), ("offer_code_ref_name", 512), ("cancellation_reason", 255),
    ].map { name, limit in Case("latest_receipt_info[0].\(name)", limit) { row(name, $0) } }
    + [("auto_renew_product_id", 255), ("expiration_intent", 255), ("original_transaction_id", 128)].map {
      name, limit in Case("pending_renewal_info[0].\(name)", limit) { pending(name, $0) }
    }

  private static let dates: [Case] = [
    ("purchase_date_ms", "1215648000000", "1215647999999", "before 2008-07-10, when the App Store opened"),
    ("purchase_date_ms", "1215648000000", "-62135596800000", "before 2008-07-10, when the App Store opened"),
    ("expires_date_ms", "4102444799999", "4102444800000", "after 2099-12-31"),
    ("cancellation_date", "2099-12-31 23:59:59 Etc/GMT", "2100-01-01 00:00:00 Etc/GMT", "after 2099-12-31"),
    ("original_purchase_date_ms", "1227266210000", "0", "before 2008-07-10, when the App Store opened"),
  ].map { (name: String, good: String, bad: String, words: String) in
    Case(
      "\(name) \(bad)", row(name, good), row(name, bad), says: "latest_receipt_info[0].\(name) is \(words)")
  }

  private static let quantities: [Case] = [
    ("10000", "10001"), ("0", "-1"), ("1", "1" + String(repeating: "0", count: 30)), ("", "x"), ("2", "1.5"),
  ].map { good, bad in
    Case(
      "quantity \(bad)", row("quantity", good), row("quantity", bad),
      says: "latest_receipt_info[0].quantity is not a whole number from 0 to 10000")
  }

  /// Blank ids are rejected, while other texts may be blank.
  private static let blanks: [Case] =
    [
      "transaction_id", "original_transaction_id", "web_order_line_item_id", "subscription_group_identifier",
      "app_account_token", "product_id",
    ].flatMap { name in
      [" ", "\\t\\n", "\u{A0}", "\u{200B}", "\u{FEFF}\u{2060} "].map {
        Case(
          "\(name) \($0)", row(name, "1"), row(name, $0), says: "latest_receipt_info[0].\(name) is blank")
      }
    }
    + [
      Case(
        "auto_renew_product_id", pending("expiration_intent", " "), pending("auto_renew_product_id", " "),
        says: "pending_renewal_info[0].auto_renew_product_id is blank"),
      Case(
        "bundle_id", #"{"status":0,"receipt":{"bundle_id":""}}"#,
        #"{"status":0,"receipt":{"bundle_id":" "}}"#,
        says: "receipt.bundle_id is blank"),
    ]

  private static let numbers: [Case] = [
    Case(
      "transactions", wire(latest: .init(repeating: wireRow(), count: 25_000)),
      wire(latest: .init(repeating: wireRow(), count: 25_001)),
      says: "latest_receipt_info has more than 25,000 elements"),
    Case(
      "renewal infos", wire(pending: .init(repeating: "{}", count: 1000)),
      wire(pending: .init(repeating: "{}", count: 1001)),
      says: "pending_renewal_info has more than 1,000 elements"),
  ]

  @Test(arguments: texts + blanks + dates + quantities + numbers)
  func ofAnAnswer(_ test: Case) throws {
    #expect(try VerifyReceiptResponse(decoding: Array(test.good.utf8)).answer != nil)
    let error = #expect(throws: UnreadableAnswer.self) {
      try VerifyReceiptResponse(decoding: Array(test.bad.utf8))
    }
    #expect(error?.reason == test.says)
  }
}

/// Ids that Apple never issues, with the errors that are expected in files and in signed data.
private let foreignIDs: [(String, String)] = [
  ("1e3", "was rounded by a spreadsheet"), ("1.0", "was rounded by a spreadsheet"),
  ("2,5E-03", "was rounded by a spreadsheet"), ("-5", AppleIDRule.foreign),
  ("+5", AppleIDRule.foreign), ("１２", AppleIDRule.foreign), ("1/2", AppleIDRule.foreign),
  (" 5", "contains an invisible character, U+0020"),
  ("5\u{A0}", "contains an invisible character, U+00A0"),
]

extension FieldLimitTests {
  @Test(arguments: foreignIDs)
  func foreignIDsAreRefused(_ id: String, _ says: String) {
    for name in ["transaction_id", "original_transaction_id", "web_order_line_item_id"] {
      let error = #expect(throws: UnreadableAnswer.self) { try transaction("\"\(name)\": \"\(id)\"") }
      #expect(
        error?.reason.hasPrefix("latest_receipt_info[0].\(name) \(says)") == true, "\(error?.reason ?? "")")
    }
  }

  @Test(arguments: ["transaction_id", "product_id", "app_account_token"]) func rejectsBooleanIDs(
    _ name: String
  ) {
    #expect(throws: UnreadableAnswer(reason: "latest_receipt_info[0].\(name) is true or false, not an id")) {
      try transaction("\"\(name)\": true")
    }
  }
}

private let noCode = "is not a code of three capital letters"

extension SignedDataTests {
  @Test(arguments: foreignIDs)
  func foreignIDsAreRefused(_ id: String, _ says: String) throws {
    for fields in [
      SignedTransactionFields { $0.transactionId = id },
      SignedTransactionFields { $0.originalTransactionId = id },
      SignedTransactionFields { $0.webOrderLineItemId = id },
    ] {
      let signed = try read(authority.sign(fields)).get()
      let error = #expect(throws: SignedDataProblem.self) { try signed.transaction() }
      #expect("\(error.map { "\($0)" } ?? "")".contains("Id \(says)"))
    }
    let renewal = try SignatureVerifier(root: authority.root).read(
      authority.sign(SignedRenewalInfoFields { $0.originalTransactionId = id }), as: SignedRenewalInfo.self)
    #expect(throws: SignedDataProblem.self) { try renewal.renewalInfo() }
  }

  @Test(arguments: [
    (SignedTransactionFields { $0.transactionId = "" }, "transactionId is empty"),
    (SignedTransactionFields { $0.transactionId = " " }, "transactionId is blank"),
    (SignedTransactionFields { $0.originalTransactionId = "\u{200B}" }, "originalTransactionId is blank"),
    (SignedTransactionFields { $0.productId = "\t\u{2060}\u{FEFF}" }, "productId is blank"),
    (SignedTransactionFields { $0.bundleId = "\u{A0}" }, "bundleId is blank"),
    (
      SignedTransactionFields { $0.productId = String(repeating: "x", count: 300) },
      "productId is longer than 255 bytes"
    ),
    (SignedTransactionFields { $0.purchaseDate = 12 }, "purchaseDate is before 2008-07-10"),
    (SignedTransactionFields { $0.price = -1 }, "price is not a whole number from 0 to"),
    (
      SignedTransactionFields { $0.price = 1_000_000_000_001 },
      "price is not a whole number from 0 to 1000000000000"
    ),
    (SignedTransactionFields { $0.price = .max }, "price is not a whole number from 0 to"),
    (SignedTransactionFields { $0.currency = "EURO" }, "currency \(noCode)"),
    (SignedTransactionFields { $0.currency = "eur" }, "currency \(noCode)"),
    (SignedTransactionFields { $0.currency = "-1" }, "currency \(noCode)"),
    (SignedTransactionFields { $0.storefront = "D\0" }, "storefront contains a NUL byte"),
  ])
  func fieldsHaveLimits(_ payload: SignedTransactionFields, _ reason: String) throws {
    let signed = try read(authority.sign(payload)).get()
    let error = try #require(throws: SignedDataProblem.self) { try signed.transaction() }
    #expect("\(error)".contains(reason), "\(error)")
  }

  @Test(arguments: [
    ("originalTransactionId", SignedRenewalInfoFields { $0.originalTransactionId = " " }),
    ("productId", SignedRenewalInfoFields { $0.productId = "\u{200B}" }),
    ("autoRenewProductId", SignedRenewalInfoFields { $0.autoRenewProductId = "\u{2060}\t" }),
  ])
  func aBlankIDOfARenewalInfo(_ name: String, _ payload: SignedRenewalInfoFields) throws {
    let text = authority.sign(payload)
    let signed = try SignatureVerifier(root: authority.root).read(text, as: SignedRenewalInfo.self)
    #expect(throws: SignedDataProblem.unreadable("\(name) is blank")) { try signed.renewalInfo() }
  }
}
