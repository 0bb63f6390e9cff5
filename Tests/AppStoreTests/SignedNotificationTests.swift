import AppStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SignedNotificationTests {
  private typealias Fields = SignedNotificationFields
  private let authority: SigningAuthority

  init() throws { authority = try #require(SigningAuthority()) }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Start of the error; `nil` if the notification is accepted.
    let refusal: String?
    let apps: [BundleID: Int64?]
    let body: @Sendable (SigningAuthority) -> String

    init(
      _ name: String, apps: [BundleID: Int64?] = [:], refused refusal: String? = nil,
      _ body: @escaping @Sendable (SigningAuthority) -> String
    ) {
      (testDescription, self.refusal, self.apps, self.body) = (name, refusal, apps, body)
    }
  }

  private func read(_ body: String, apps: [BundleID: Int64?] = [:]) throws -> SignedNotification {
    guard case .version2(let kept) = try NotificationBody(decoding: Array(body.utf8)) else {
      throw SignedDataProblem.notSigned
    }
    return try kept.verified(by: SignatureVerifier(root: authority.root), for: OwnApps(apps))
  }

  private static let pro = BundleID("com.example.pro")
  private static let unreadable = "its signature is valid, but it cannot be read: "

  private static let forms: [Case] = [
    Case("as it should be") { $0.notification() },
    Case("without a date, which the transaction has") { $0.notification(Fields(signedDate: nil)) },
    Case("without any date", refused: "it does not say when it was signed") {
      $0.body(Fields("TEST", signedDate: nil, data: .init()))
    },
    Case("without a UUID", refused: unreadable + "notificationUUID is missing") {
      $0.notification(Fields(uuid: nil))
    },
    Case("a blank UUID", refused: unreadable + "notificationUUID is blank") {
      $0.notification(Fields(uuid: " \u{200B}"))
    },
    Case("an app of no visible name", refused: unreadable + "bundleId is blank") {
      $0.notification(Fields(data: .init(bundleId: "\u{2060}")))
    },
    Case("without a type", refused: unreadable + "notificationType is missing") {
      $0.notification(Fields(nil))
    },
    Case("of no environment", refused: "it does not contain its environment") {
      $0.body(Fields("TEST", data: .init(environment: nil)))
    },
    Case("of Xcode", refused: "it was signed by Xcode or a local test") {
      $0.notification(Fields(data: .init(environment: "Xcode")))
    },
    Case("an endless subtype", refused: unreadable + "subtype is longer than 255 bytes") {
      $0.notification(Fields("EXPIRED", String(repeating: "X", count: 300)))
    },
  ]

  private static let contents: [Case] = [
    Case("a transaction of another authority", refused: "its certificates do not lead to the trusted root") {
      var fields = Fields()
      fields.data = .init()
      fields.data?.signedTransactionInfo = SigningAuthority()?.sign(SignedTransactionFields())
      return $0.body(fields)
    },
    Case("a transaction that is no signed data", refused: "it is not a JWS") {
      var fields = Fields()
      fields.data = .init()
      fields.data?.signedTransactionInfo = "hello"
      return $0.body(fields)
    },
    Case("a transaction of another app", refused: "it is for another app (bundle id com.example.other)") {
      $0.notification(transaction: SignedTransactionFields { $0.bundleId = "com.example.other" })
    },
    Case("a transaction of the sandbox", refused: "its environment is Sandbox, not Production") {
      $0.notification(transaction: SignedTransactionFields { $0.environment = "Sandbox" })
    },
    Case("a renewal info of the sandbox", refused: "its environment is Sandbox, not Production") {
      $0.notification(renewal: SignedRenewalInfoFields { $0.environment = "Sandbox" })
    },
    Case("rows that name no environment") {
      $0.notification(
        transaction: SignedTransactionFields { $0.environment = nil },
        renewal: SignedRenewalInfoFields { $0.environment = "" })
    },
    Case("a row of Xcode's", refused: "it was signed by Xcode or a local test") {
      $0.notification(transaction: SignedTransactionFields { $0.environment = "Xcode" })
    },
    Case("an app transaction of the sandbox", refused: "its environment is Sandbox, not Production") {
      appTransaction(of: "", in: "Sandbox", $0)
    },
    Case("a row of 64 KiB", refused: "a signed transaction or renewal info is longer than 65536 bytes") {
      $0.notification(
        transaction: SignedTransactionFields {
          $0.whatAppleAddedSince = [String(repeating: "x", count: 48 << 10): 1]
        })
    },
    Case("an app transaction of another app", refused: "it is for another app") {
      appTransaction(of: "com.example.other", $0)
    },
    Case("an app transaction of no app") { appTransaction(of: "", $0) },
  ]

  private static func appTransaction(
    of bundle: String, in environment: String? = nil, _ authority: SigningAuthority
  ) -> String {
    struct App: Encodable {
      var bundleId: String
      var receiptType: String?
      var receiptCreationDate: Int64 = 1_750_000_000_000
    }
    var fields = Fields("RESCIND_CONSENT")
    fields.appData = .init()
    fields.appData?.signedAppTransactionInfo = authority.sign(App(bundleId: bundle, receiptType: environment))
    return authority.body(fields)
  }

  private static let apps: [Case] = [
    Case("an app that is listed", apps: [pro: nil]) { $0.notification() },
    Case(
      "an app that is not",
      apps: [BundleID("com.example.two"): nil],
      refused: "it is for an app that the configuration does not list (bundle id com.example.pro)"
    ) { $0.notification() },
    Case("no app, where some are listed", apps: [pro: nil], refused: "it does not name its app") {
      $0.body(Fields("TEST", data: .init(bundleId: nil)))
    },
    Case("its Apple id", apps: [pro: 7]) { $0.notification(Fields(data: .init(appAppleId: 7))) },
    Case("another Apple id", apps: [pro: 7], refused: "it is for another app (Apple id 8), not 7") {
      $0.notification(Fields(data: .init(appAppleId: 8)))
    },
    Case("no Apple id in production", apps: [pro: 7], refused: "it does not contain its app's Apple id") {
      $0.notification()
    },
    Case("no Apple id in the sandbox", apps: [pro: 7]) {
      $0.body(Fields("TEST", data: .init(environment: "Sandbox")))
    },
  ]

  @Test(arguments: forms + contents + apps)
  func isTakenOrRefused(_ test: Case) throws {
    let found: String
    do {
      _ = try read(test.body(authority), apps: test.apps)
      found = ""
    } catch {
      found = "\(error)"
    }
    if let refusal = test.refusal {
      #expect(found.hasPrefix(refusal), "\(found)")
    } else {
      #expect(found == "")
    }
  }

  @Test func readsAllFields() throws {
    let body = authority.notification(Fields("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"))
    let read = try read(body)
    #expect(read.type == .didChangeRenewalStatus && read.subtype == "AUTO_RENEW_DISABLED")
    #expect(read.uuid == Fields.uuid(1) && read.digest.hexadecimal == "7a3e0f549d1c4b628f00000000000001")
    #expect(read.signedAt == Instant(milliseconds: 1_750_000_002_000))
    #expect(read.bundleID == Self.pro && read.environment == .production)
    let facts = try #require(read.facts)
    #expect(facts.isSigned && facts.subtype == read.subtype)
    #expect(facts.originalTransactionID.rawValue == "2000000000000001")
    #expect(facts.transactionID?.rawValue == "2000000000000002" && facts.autoRenewStatus == true)
    #expect(facts.observedAt == Instant(milliseconds: 1_750_000_001_500))
    #expect(read.rows.map { $0.signed != nil } == [true, true])
    #expect(read.rows.map(\.observedAt?.rawValue) == [1_750_000_001_000, 1_750_000_001_500])
  }

  @Test func emptyFieldsAreAbsent() throws {
    var content = Fields.Content(bundleId: "")
    content.signedTransactionInfo = ""
    content.signedRenewalInfo = ""
    content.signedAppTransactionInfo = ""
    content.externalPurchaseId = ""
    let read = try read(authority.body(Fields("TEST", "", data: content)))
    #expect(read.subtype == nil && read.bundleID == nil && read.environment == .production)
    #expect(read.rows.isEmpty && read.facts == nil)
  }

  /// Notifications without a transaction concern no chain, and unknown types are kept.
  @Test(
    arguments: [
      ("TEST", nil, "data"), ("RENEWAL_EXTENSION", "SUMMARY", "summary"),
      ("RENEWAL_EXTENSION", "FAILURE", "summary"),
      ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", "token"), ("RESCIND_CONSENT", nil, "app"),
      ("SOMETHING_OF_2031", "ELSE", "data"),
    ] as [(String, String?, String)])
  func ofNoChain(_ type: String, _ subtype: String?, _ member: String) throws {
    var fields = Fields(type, subtype)
    var content = Fields.Content(environment: member == "token" ? nil : "Sandbox")
    if member == "token" { content.externalPurchaseId = "SANDBOX-1" }
    switch member {
    case "summary": fields.summary = content
    case "token": fields.externalPurchaseToken = content
    case "app": fields.appData = content
    default: fields.data = content
    }
    let read = try read(authority.body(fields))
    #expect(read.type.rawValue == type && read.subtype == subtype && read.facts == nil && read.rows.isEmpty)
    #expect(read.environment == .sandbox && !read.asksForValidation)
  }

  /// A notification of an upgrade has only the new transaction, so the customer is always validated.
  @Test(arguments: [
    "SUBSCRIBED", "DID_RENEW", "ONE_TIME_CHARGE", "EXPIRED", "REFUND", "DID_CHANGE_RENEWAL_PREF",
    "OFFER_REDEEMED", "CONSUMPTION_REQUEST",
  ])
  func asksForItsCustomer(_ type: String) throws {
    #expect(try read(authority.notification(Fields(type))).asksForValidation)
  }
}
