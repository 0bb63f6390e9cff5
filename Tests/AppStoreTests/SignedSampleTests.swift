import AppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

/// Published receipts and errors of the Server API.
@Suite(.enabled(if: Corpus.hasSigned, "../shared/signed is not beside the repository"))
struct SignedSampleTests {
  private static let library =
    "apple__app-store-server-library-swift/Tests__AppStoreServerLibraryTests__resources__"
  private static let own = "emindeniz99__apple-purchase-receipt-verifier/fixtures__generated__"

  private func bytes(_ path: String) throws -> [UInt8] {
    try #require(Corpus.signed(path) ?? Corpus.bytes(of: path), "\(path)")
  }

  /// Customer id of the receipt for the Server API, regardless of its signer; `nil` without purchases.
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

  /// Purchases of Xcode's local tests have the id 0, which the Server API does not know.
  @Test(arguments: [
    ("xcode__xcode-app-receipt-empty", []), ("xcode__xcode-app-receipt-with-transaction", ["0"]),
  ])
  func localReceiptsCannotBeQueried(_ name: String, ids: [String]) throws {
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
}

private enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
