import AppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

@Suite struct SignedDataTests {
  let authority: SigningAuthority

  init() throws { authority = try #require(SigningAuthority()) }

  func read(_ text: String, root: Certificate? = nil) -> Result<SignedTransaction, SignedDataProblem> {
    do throws(SignedDataProblem) {
      return .success(try SignatureVerifier(root: root ?? authority.root).read(text))
    } catch {
      return .failure(error)
    }
  }

  private func problem(_ text: String, root: Certificate? = nil) -> String? {
    if case .failure(let problem) = read(text, root: root) { "\(problem)" } else { nil }
  }

  @Test func readsSignedTransactions() throws {
    let transaction = try read(authority.sign(SignedTransactionFields())).get().transaction()
    #expect(transaction.transactionID == TransactionID("2000000000000002"))
    #expect(transaction.kind == .standard && transaction.expiresDate?.rawValue == 1_752_592_000_000)
    let terms = try #require(transaction.terms)
    #expect(terms.price == Money(micros: 9_990_000, currency: CurrencyCode("EUR")))
    #expect(terms.storefront == StorefrontCode("DEU") && terms.pricedAt?.rawValue == 1_750_000_001_000)
  }

  /// Month of a yearly commitment: *App Store Server API › commitmentInfo*.
  @Test func aCommitment() throws {
    let signed = authority.sign(
      SignedTransactionFields {
        ($0.billingPlanType, $0.commitmentInfo) = (
          "MONTHLY",
          [
            "billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentExpiresDate": 1_781_536_000_000,
            "commitmentPrice": 119_880,
          ]
        )
      })
    let terms = try #require(try read(signed).get().transaction().terms)
    #expect(terms.billingPlan == "MONTHLY")
    #expect(
      terms.commitment
        == Commitment(
          signedAt: Instant(milliseconds: 1_750_000_001_000), billingPeriodNumber: 3, totalBillingPeriods: 12,
          expires: Instant(milliseconds: 1_781_536_000_000), priceMicros: 119_880_000))
  }

  /// Facts about the next renewal that only signed renewal infos contain.
  @Test func aRenewal() throws {
    struct Fields: Encodable {
      var originalTransactionId = "1"
      var productId = "monthly"
      var autoRenewStatus = 1
      var renewalDate: Int64 = 1_752_592_000_000
      var signedDate: Int64 = 1_750_000_001_000
      var renewalPrice: Int64? = 12_990
      var currency = "EUR"
      var recentSubscriptionStartDate: Int64 = 1_740_000_000_000
      var eligibleWinBackOfferIds = ["half.year", "month"]
      var renewalBillingPlanType = "MONTHLY"
      var commitmentInfo = Commitment()

      struct Commitment: Encodable {
        var commitmentAutoRenewProductId = "yearly"
        var commitmentAutoRenewStatus = 0
        var commitmentRenewalBillingPlanType = "BILLED_UPFRONT"
        var commitmentRenewalDate: Int64 = 1_781_536_000_000
        var commitmentRenewalPrice: Int64 = 99_990
      }
    }
    let verifier = SignatureVerifier(root: authority.root)
    let signed = try verifier.read(authority.sign(Fields()), as: SignedRenewalInfo.self)
    _ = try signed.renewalInfo()
    let terms = try #require(signed.terms)
    #expect(terms.price?.amount == Money(micros: 12_990_000, currency: CurrencyCode("EUR")))
    #expect(terms.renewalDate.rawValue == 1_752_592_000_000)
    #expect(terms.recentSubscriptionStart?.rawValue == 1_740_000_000_000)
    #expect(terms.winBackOfferIDs == ["half.year", "month"] && terms.billingPlan == "MONTHLY")
    #expect(
      terms.commitment
        == CommitmentRenewal(
          autoRenewProductID: ProductID("yearly"), autoRenewStatus: false, billingPlan: "BILLED_UPFRONT",
          date: Instant(milliseconds: 1_781_536_000_000), priceMicros: 99_990_000))
    for (fields, reason) in [
      (Fields(eligibleWinBackOfferIds: ["a\nb"]), "eligibleWinBackOfferIds contains a line break"),
      (
        Fields(eligibleWinBackOfferIds: Array(repeating: "a", count: 101)),
        "eligibleWinBackOfferIds has more than 100 elements"
      ),
    ] {
      let tooMuch = try verifier.read(authority.sign(fields), as: SignedRenewalInfo.self)
      let problem = #expect(throws: SignedDataProblem.self) { try tooMuch.renewalInfo() }
      #expect(problem.map { "\($0)".contains(reason) } == true, "\(String(describing: problem))")
    }
  }

  struct Forgery: CustomTestStringConvertible {
    let name: String
    let problem: String
    let text: @Sendable (SigningAuthority) -> String
    var testDescription: String { name }
  }

  private static func part(_ text: String, _ place: Int, change: (String) -> String) -> String {
    var parts = text.split(separator: ".").map(String.init)
    parts[place] = change(parts[place])
    return parts.joined(separator: ".")
  }

  private static func signed(as algorithm: String, _ authority: SigningAuthority) -> String {
    var header = authority.header
    header.alg = algorithm
    return authority.sign(SignedTransactionFields(), header: header)
  }

  private static func base64URL(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().filter { $0 != "=" }
  }

  /// A notification is not a row, whether kept as a body or as bare signed data.
  @Test(arguments: ["TEST", "DID_RENEW"], [false, true])
  func aNotificationAmongTransactions(_ type: String, isBare: Bool) throws {
    let body = authority.notification(SignedNotificationFields(type))
    let bare = body.split(separator: "\"").first { $0.hasPrefix("ey") }.map(String.init)
    #expect(try refusal(ofRow: isBare ? #require(bare) : body) == "\(SignedDataProblem.notification)")
  }

  @Test func unsignedJSONInALine() throws {
    let unsigned = Self.part(Self.signed(as: "none", authority), 2) { _ in "" }
    #expect(try refusal(ofRow: unsigned) == "\(SignedDataProblem.notSigned)")
    #expect(throws: UnreadableAnswer(reason: "\(SignedDataProblem.notSigned)")) {
      _ = try NotificationBody(decoding: Array(unsigned.utf8))
    }
  }

  private func refusal(ofRow text: String) throws -> String? {
    do {
      _ = try KeptSignedData(decoding: Array(text.utf8)).verified(by: SignatureVerifier(root: authority.root))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    Forgery(name: "no signed JSON", problem: "it is not a JWS") { _ in "hello" },
    Forgery(name: "two parts", problem: "it is not a JWS") { authority in
      authority.sign(SignedTransactionFields()).split(separator: ".").prefix(2).joined(separator: ".")
    },
    Forgery(name: "a cut signature", problem: "its signature does not match its content") { authority in
      String(authority.sign(SignedTransactionFields()).dropLast(3))
    },
    Forgery(name: "a changed payload", problem: "its signature does not match its content") { authority in
      part(authority.sign(SignedTransactionFields()), 1) { _ in
        base64URL(#"{"transactionId":"1","productId":"x","purchaseDate":1}"#)
      }
    },
    Forgery(
      name: "another key under Apple's certificates", problem: "its signature does not match its content"
    ) {
      authority in authority.sign(SignedTransactionFields(), key: ES256Key.generate())
    },
    Forgery(name: "HS256", problem: "it is not signed with ES256") { signed(as: "HS256", $0) },
    Forgery(name: "none and no signature", problem: "it is not a JWS") {
      part(signed(as: "none", $0), 2) { _ in "" }
    },
    Forgery(name: "ES256 and no signature", problem: "it is not a JWS") { authority in
      part(authority.sign(SignedTransactionFields()), 2) { _ in "" }
    },
    Forgery(name: "an algorithm of its own", problem: "it is not signed with ES256") {
      signed(as: "\u{1B}[31m", $0)
    },
    Forgery(name: "no certificates", problem: "it has 0 certificates instead of 3") { authority in
      authority.sign(SignedTransactionFields(), header: .init())
    },
    Forgery(name: "four certificates", problem: "it has 4 certificates instead of 3") { authority in
      authority.sign(SignedTransactionFields(), header: .init(x5c: (authority.header.x5c ?? []) + ["AA=="]))
    },
    Forgery(name: "certificates that are none", problem: "one of its certificates cannot be read") {
      authority in
      authority.sign(SignedTransactionFields(), header: .init(x5c: ["AA==", "AA==", "AA=="]))
    },
    Forgery(name: "another authority", problem: "its certificates do not lead to the trusted root") { _ in
      SigningAuthority()?.sign(SignedTransactionFields()) ?? ""
    },
    Forgery(
      name: "another authority with the trusted root beside it", problem: "its certificates do not lead to"
    ) {
      authority in
      guard let other = SigningAuthority() else { return "" }
      let x5c = [other.leaf, other.intermediate, authority.root].map { Data($0.der).base64EncodedString() }
      return other.sign(SignedTransactionFields(), header: .init(x5c: x5c))
    },
    Forgery(name: "no signing time", problem: "it does not say when it was signed") { authority in
      authority.sign(SignedTransactionFields { $0.signedDate = nil })
    },
    Forgery(name: "signed before its certificates were valid", problem: "it was signed at 2020-09-13") {
      authority in authority.sign(SignedTransactionFields { $0.signedDate = 1_600_000_000_000 })
    },
    Forgery(name: "signed after", problem: "it was signed at 2027-01-15") { authority in
      authority.sign(SignedTransactionFields { $0.signedDate = 1_800_000_001_000 })
    },
    Forgery(
      name: "no transaction",
      problem: "its signature is valid, but it cannot be read: productId is missing"
    ) {
      authority in authority.sign(SignedTransactionFields { $0.productId = nil })
    },
    Forgery(name: "Xcode's", problem: "it was signed by Xcode or a local test") { authority in
      part(authority.sign(SignedTransactionFields { $0.environment = "Xcode" }), 2) { _ in "AA" }
    },
  ])
  func forgeriesAreRefusedByName(_ forgery: Forgery) {
    let found = problem(forgery.text(authority))
    #expect(found?.hasPrefix(forgery.problem) == true, "\(found ?? "it was read")")
  }

  struct Text: CustomTestStringConvertible {
    var testDescription: String
    var payload: @Sendable (String) -> String = { $0 }
    var header: @Sendable (String) -> String = { $0 }
    let problem: String?
  }

  private static let twice = "its payload has a duplicate key"
  private static let long = "a signed transaction or renewal info is longer than 65536 bytes"

  private static func filled(_ bytes: Int) -> @Sendable (String) -> String {
    { String($0.dropLast()) + ",\"added\":\"\(String(repeating: "x", count: bytes))\"}" }
  }

  private static func begun(_ member: String) -> @Sendable (String) -> String {
    { "{\(member)," + $0.dropFirst() }
  }

  private static let unreadable = "its signature is valid, but it cannot be read: "

  private static func number(_ field: String, _ number: String, isTaken: Bool = false) -> Text {
    let problem = "\(unreadable)\(field) is not a whole number, or exceeds its limit"
    return Text(
      testDescription: "\(field) \(number)",
      payload: { $0.replacing(/"(\w+)":\d+/) { $0.1 == field ? "\"\(field)\":\(number)" : "\($0.0)" } },
      problem: isTaken ? nil : problem)
  }

  /// Data that JSON libraries read in different ways must be rejected.
  @Test(arguments: [
    Text(testDescription: "as it is", problem: nil),
    Text(testDescription: "an id twice", payload: begun(#""transactionId":"1""#), problem: twice),
    Text(testDescription: "an escaped name", payload: begun(#""p\u0072ice":1"#), problem: twice),
    Text(
      testDescription: "within an object", payload: begun(#""y":{"a":1,"b":{},"a":1}"#), problem: twice),
    Text(testDescription: "in two objects", payload: begun(#""y":[{"a":1},{"a":1}]"#), problem: nil),
    Text(
      testDescription: "an algorithm twice", header: begun(#""alg":"ES256""#),
      problem: "its header has a duplicate key"),
    Text(
      testDescription: "crit", header: begun(#""crit":["b64"],"b64":false"#), problem: "its header requires"),
    Text(testDescription: "crit of nothing", header: begun(#""crit":null"#), problem: "its header requires"),
    Text(testDescription: "5 MiB", payload: filled(5 << 20), problem: long),
    Text(testDescription: "64 KiB", payload: filled(48 << 10), problem: long),
    Text(testDescription: "40 KB", payload: filled(40_000), problem: nil),
    number("price", "9990.5"), number("price", "1e300"), number("price", "100000000000000000000"),
    number("price", "9990.0", isTaken: true), number("purchaseDate", "1e300"), number("quantity", "1.5"),
  ])
  func formsThatAreTakenOrRefused(_ text: Text) throws {
    func json(_ value: some Encodable) throws -> String {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
    let header = CompactJWS.part(Array(text.header(try json(authority.header)).utf8))
    let payload = Array(text.payload(try json(SignedTransactionFields())).utf8)
    let signed = try #require(CompactJWS.sign(headerPart: header, payload: payload, with: authority.key))
    let found = [signed, "{\"signedTransactionInfo\":\"\(signed)\"}"].map { try? refusal(ofRow: $0) }
    #expect(found[0]?.hasPrefix(text.problem ?? "?") == (text.problem == nil ? nil : true), "\(found)")
    #expect((found[1] == nil) == (text.problem == nil))
  }

  @Test(
    arguments: [
      (nil, "it does not contain its environment"), ("", "it does not contain its environment"),
      ("Xcode", "it was signed by Xcode or a local test"),
      ("LocalTesting", "it was signed by Xcode or a local test"),
      ("PROD", "its environment is PROD, neither"), ("production", "its environment is production, neither"),
      ("Sandbox ", "its environment is Sandbox , neither"), ("Production", nil), ("Sandbox", nil),
    ] as [(String?, String?)])
  func environments(_ name: String?, _ problem: String?) throws {
    for row in [
      authority.sign(SignedTransactionFields { $0.environment = name }),
      authority.sign(SignedRenewalInfoFields { $0.environment = name }),
    ] {
      let found = try refusal(ofRow: row)
      #expect(found?.hasPrefix(problem ?? "?") == (problem == nil ? nil : true), "\(found ?? "taken")")
    }
  }

  @Test func certificatesThatAppleDidNotMark() throws {
    let leaf = try #require(SigningAuthority(leafMark: nil))
    #expect(
      problem(leaf.sign(SignedTransactionFields()), root: leaf.root)?.hasPrefix("its leaf certificate lacks")
        == true)
    let middle = try #require(SigningAuthority(intermediateMark: nil))
    #expect(
      problem(middle.sign(SignedTransactionFields()), root: middle.root)?.hasPrefix(
        "its intermediate certificate lacks")
        == true)
    let leafAsAuthority = try #require(SigningAuthority(isIntermediateAuthority: false))
    #expect(
      problem(leafAsAuthority.sign(SignedTransactionFields()), root: leafAsAuthority.root)?
        .hasPrefix("its certificates do not lead to") == true)
  }

  /// The cached result for a header must not make changed payloads acceptable.
  @Test func thousandsHaveOneHeader() throws {
    let verifier = SignatureVerifier(root: authority.root)
    for place in 0..<200 {
      let text = authority.sign(SignedTransactionFields { $0.transactionId = "\(place)" })
      #expect(
        try verifier.read(text, as: SignedTransaction.self).transaction().transactionID.rawValue == "\(place)"
      )
      let changed = Self.part(text, 1) { _ in Self.base64URL("{}") }
      #expect(throws: SignedDataProblem.signature) { try verifier.read(changed, as: SignedTransaction.self) }
    }
  }

  @Test(
    arguments: [
      (nil, nil, nil, PeriodKind.standard), (1, nil, "FREE_TRIAL", .trial), (1, nil, "PAY_AS_YOU_GO", .intro),
      (1, nil, "PAY_UP_FRONT", .intro), (2, "SPRING", "PAY_AS_YOU_GO", .promo),
      (2, "SPRING", "FREE_TRIAL", .trial),
      (3, "CODE", nil, .code), (3, nil, nil, .code), (4, "BACK", nil, .winback), (4, nil, nil, .winback),
      (9, "NEW", "NEW", .standard),
    ] as [(Int?, String?, String?, PeriodKind)])
  func kinds(_ type: Int?, _ offer: String?, _ discount: String?, _ kind: PeriodKind) throws {
    let payload = SignedTransactionFields {
      ($0.offerType, $0.offerIdentifier, $0.offerDiscountType) = (type, offer, discount)
    }
    #expect(try read(authority.sign(payload)).get().transaction().kind == kind)
  }

  /// Before October 2023 Apple signed no discount type, so an offer is a trial if it was free.
  @Test(
    arguments: [
      (1, nil, 0, PeriodKind.trial), (1, nil, 990, .intro), (1, nil, nil, .intro), (2, nil, 0, .trial),
      (3, nil, 0, .trial), (4, nil, 0, .trial), (nil, nil, 0, .standard), (1, "", 0, .trial),
      (1, "PAY_UP_FRONT", 0, .intro), (2, "PAY_AS_YOU_GO", 0, .promo),
    ] as [(Int?, String?, Int64?, PeriodKind)])
  func kindsWithoutADiscountType(
    _ type: Int?, _ discount: String?, _ price: Int64?, _ kind: PeriodKind
  ) throws {
    let payload = SignedTransactionFields {
      $0.price = price
      $0.offerType = type
      $0.offerIdentifier = "NAME"
      $0.offerDiscountType = discount
    }
    let row = try read(authority.sign(payload)).get().transaction()
    #expect(row.kind == kind && row.terms?.offerType == type.map(Int64.init))
  }

  @Test func aPartialRefund() throws {
    let payload = SignedTransactionFields {
      $0.revocationDate = 1_750_000_000_500
      $0.revocationReason = 1
      $0.revocationType = "REFUND_PRORATED"
      $0.revocationPercentage = 67_932
    }
    let row = try read(authority.sign(payload)).get().transaction()
    #expect(row.cancellationDate?.rawValue == 1_750_000_000_500 && row.cancellationReason == "1")
    #expect(row.terms?.revocation?.percentage == 67_932 && row.terms?.revocation?.type == "REFUND_PRORATED")
  }

  /// Fingerprint as published by Apple.
  @Test func theRootIsApples() throws {
    let root = try #require(Certificate.appleRoot)
    #expect(
      root.fingerprint == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
  }
}
