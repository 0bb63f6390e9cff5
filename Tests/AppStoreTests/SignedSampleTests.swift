import AppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

/// What others published of signed data and beside it: each sample verifies or is refused by name, and each receipt tells what to ask the
/// Server API with.
@Suite(.enabled(if: Corpus.hasSigned, "../shared/signed is not beside the repository"))
struct SignedSampleTests {
  private static let library =
    "apple__app-store-server-library-swift/Tests__AppStoreServerLibraryTests__resources__"
  private static let own = "emindeniz99__apple-purchase-receipt-verifier/fixtures__generated__"

  private func bytes(_ path: String) throws -> [UInt8] {
    try #require(Corpus.signed(path) ?? Corpus.bytes(of: path), "\(path)")
  }

  private func verifier() throws -> SignatureVerifier {
    SignatureVerifier(root: try #require(Certificate.appleRoot))
  }

  /// As `import transactions` takes it.
  private func outcome(_ path: String) throws -> String {
    do {
      let row = try KeptSignedData(decoding: try bytes(path)).verified(by: verifier())
      return row.answer.transactions.first?.productID.rawValue
        ?? row.answer.renewalInfos.first?.productID?.rawValue ?? "read"
    } catch let problem as SignedDataProblem {
      return "\(problem)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    // Apple's, of 2022.
    ("awa__go-iap/appstore__validator_test.go.L326.jws", "co.ringalarm.swtich.quarterly2"),
    (library + "xcode__xcode-signed-transaction", "\(SignedDataProblem.local)"),
    (library + "xcode__xcode-signed-renewal-info", "\(SignedDataProblem.local)"),
    (library + "xcode__xcode-signed-app-transaction", "it has 1 certificates instead of 3"),
    (library + "mock_signed_data__transactionInfo", "its certificates do not lead to the root certificate"),
    (library + "mock_signed_data__renewalInfo", "its certificates do not lead to the root certificate"),
    (library + "mock_signed_data__wrongBundleId", "its certificates do not lead to the root certificate"),
    (library + "mock_signed_data__missingX5CHeaderClaim", "it has 0 certificates instead of 3"),
    (library + "mock_signed_data__legacyTransaction", "it is not complete JSON"),
  ])
  func rows(_ path: String, expected: String) throws {
    let found = try outcome(path)
    #expect(found.hasPrefix(expected), "\(path): \(found)")
  }

  /// Bodies that a guide shows, signed with a password instead of Apple's key.
  @Test(arguments: ["GUIDE.md.L592.json", "GUIDE.md.L615.json", "GUIDE.md.L624.json"])
  func forgedNotifications(_ name: String) throws {
    let body = try NotificationBody(decoding: try bytes("kdrmlhcn__ios-iap-events-notification/\(name)"))
    guard case .version2(let kept) = body else {
      Issue.record("\(name) is none of version 2")
      return
    }
    let verifier = try verifier()
    let problem = #expect(throws: SignedDataProblem.self) { try kept.verified(by: verifier, for: OwnApps()) }
    #expect(problem.map { "\($0)" } == "it is signed with HS256 instead of ES256")
  }

  /// What a receipt is asked about with, whoever signed it; nil where it holds no purchase.
  @Test(arguments: [
    ("receipt", "70000000000001"), ("receipt-double-wrapped", "70000000000001"),
    ("receipt-foreign", "70000000000001"), ("receipt-expired-fresh", "70000000000001"),
    ("receipt-expired-historical", nil), ("receipt-no-signer-oid", "70000000000001"),
    ("receipt-type-production", nil), ("receipt-type-vpp", nil), ("receipt-type-vpp-sandbox", nil),
    ("receipt-no-type", nil),
  ])
  func receiptsOfOtherMakers(_ name: String, id: String?) throws {
    let data = Base64.text(try bytes(Self.own + name + ".der"))
    let contents = try #require(ReceiptContents(ReceiptData(trusted: data)), "\(name)")
    #expect(contents.bundleID == BundleID("com.example.app") && contents.customerID?.rawValue == id)
    let twice = ReceiptContents(ReceiptData(trusted: Base64.text(Array(data.utf8))))
    #expect(twice == contents, "encoded once more")
  }

  /// Receipts of local tests, whose purchases have the id 0: nobody at Apple knows them.
  @Test(arguments: [
    ("xcode__xcode-app-receipt-empty", []), ("xcode__xcode-app-receipt-with-transaction", ["0"]),
  ])
  func localReceiptsHaveNothingToAskWith(_ name: String, ids: [String]) throws {
    let text = String(decoding: try bytes(Self.library + name), as: UTF8.self).filter { !$0.isWhitespace }
    let contents = try #require(ReceiptContents(ReceiptData(trusted: text)), "\(name)")
    #expect(contents.receiptType == "Xcode" && contents.customerID == nil)
    #expect(contents.transactionIDs.map(\.rawValue) == ids)
    let twice = ReceiptContents(ReceiptData(trusted: Base64.text(Array(text.utf8))))
    #expect(twice == contents, "encoded once more")
  }

  @Test(arguments: [
    ("apiException", ServerAPIError.Meaning.retry), ("apiTooManyRequestsException", .retry),
    ("apiUnknownError", .puzzling), ("appTransactionDoesNotExistError", .unknownID),
    ("familyTransactionNotSupportedError", .puzzling), ("invalidAppAccountTokenUUIDError", .puzzling),
    ("invalidTransactionIdError", .unknownID), ("transactionIdNotFoundError", .elsewhere),
    ("transactionIdNotOriginalTransactionId", .puzzling),
  ])
  func errors(_ name: String, meaning: ServerAPIError.Meaning) throws {
    let error = try #require(
      ServerAPIError(decoding: try bytes(Self.library + "models__\(name).json")), "\(name)")
    #expect(error.meaning == meaning, "\(error.code)")
  }

  /// The words that stand in for signed rows there are none, and all that came with them are refused.
  @Test func answers() throws {
    let history = try bytes(Self.library + "models__transactionHistoryResponse.json")
    try refuse(HistoryPage(decoding: history).transactions)
    let statuses = try bytes(Self.library + "models__getAllSubscriptionStatusesResponse.json")
    try refuse(SubscriptionStatuses(decoding: statuses).transactions)
    let notifications = try NotificationHistoryPage(
      decoding: try bytes(Self.library + "models__getNotificationHistoryResponse.json"))
    #expect(notifications.items.count == 2 && notifications.hasMore)
    #expect(notifications.items.first?.attempts.map(\.sendAttemptResult) == ["NO_RESPONSE", "SUCCESS"])
  }

  private func refuse(_ rows: [String]) throws {
    var taken = CustomerRows()
    let verifier = try verifier()
    #expect(throws: SignedDataProblem.notSigned) { try taken.take(rows, verifiedBy: verifier) }
    #expect(!rows.isEmpty && taken.count == 0)
  }
}

private enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
