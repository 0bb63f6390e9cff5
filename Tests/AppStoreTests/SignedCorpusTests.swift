import AppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

/// Published signed data of Apple, of Xcode, and of other roots.
@Suite(.enabled(if: Corpus.hasSigned, "../shared/signed is not beside the repository"))
struct SignedCorpusTests {
  private static let own = "emindeniz99__apple-purchase-receipt-verifier/fixtures__generated__"
  private static let apple = "go-pay__gopay/apple__"

  private func text(_ path: String) throws -> String {
    let bytes = try #require(Corpus.signed(path) ?? Corpus.bytes(of: path), "\(path)")
    return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
  }

  private func verifier(_ path: String) throws -> SignatureVerifier {
    let der = try #require(Corpus.signed(path) ?? Corpus.bytes(of: path), "\(path)")
    return SignatureVerifier(root: try #require(Certificate(der: der)))
  }

  private func applesVerifier() throws -> SignatureVerifier {
    SignatureVerifier(root: try #require(Certificate.appleRoot))
  }

  private func outcome(_ text: String, _ verifier: SignatureVerifier) -> String {
    do throws(SignedDataProblem) {
      let read = try verifier.read(text, as: AnySigned.self)
      return read.productId ?? read.notificationType ?? read.receiptType ?? "read"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    "notification_v2_test.go.L45.jws", "notification_v2_test.go.L46.jws", "order_test.go.L25.jws",
    "subscription_test.go.L34.jws", "subscription_test.go.L35.jws", "unsign_jwt_test.go.L37.jws",
    "unsign_jwt_test.go.L73.jws", "notification_v2_test.go.L11.jws",
  ])
  func applesAreVerifiedAtTheirSigningTime(_ name: String) throws {
    #expect(!outcome(try text(Self.apple + name), try applesVerifier()).contains(" "), "\(name)")
  }

  @Test func notificationsWithTheirRows() throws {
    let verifier = try applesVerifier()
    let names = [
      Self.apple + "notification_v2_test.go.L11.jws", Self.apple + "unsign_jwt_test.go.L37.jws",
      Self.apple + "unsign_jwt_test.go.L73.jws",
      "aporat__store-receipt-validator/examples__test_app_store_server_notification.php.L17.jws",
    ]
    var found: [String] = []
    for name in names {
      guard
        case .version2(let kept) = try NotificationBody(decoding: Array(try text(name).utf8)),
        let notification = try? kept.verified(by: verifier, for: OwnApps())
      else { continue }
      found.append("\(notification.type) \(notification.environment) \(notification.rows.count)")
      #expect((notification.facts == nil) == notification.rows.isEmpty)
    }
    print("notifications of version 2 signed by Apple: \(found)")
    #expect(found.count >= 3 && found.contains { $0.hasPrefix("TEST ") && $0.hasSuffix(" 0") })
    #expect(found.contains { $0.hasSuffix(" 2") })
  }

  @Test func refusesDataSignedByXcode() throws {
    let name = "linhvnguyen9__verify-storekit2-nodejs/src__index.ts.L6.jws"
    #expect(outcome(try text(name), try applesVerifier()) == "\(SignedDataProblem.local)")
  }

  @Test(arguments: [
    ("transaction.jws", "jws-root.der", "com.example.app.pro"),
    ("app-transaction.jws", "jws-root.der", "Sandbox"),
    ("app-transaction-production.jws", "jws-root.der", "Production"),
    ("expired-cert-historical.jws", "jws-expired-root.der", "com.example.app.pro"),
    ("transaction-no-leaf-oid.jws", "jws-no-leaf-oid-root.der", "its leaf certificate lacks"),
    (
      "transaction-no-intermediate-oid.jws", "jws-no-intermediate-oid-root.der",
      "its intermediate certificate lacks"
    ),
    ("expired-cert-fresh.jws", "jws-expired-root.der", "it was signed at 2024-08-06"),
  ])
  func thoseOfOtherRoots(_ name: String, root: String, expected: String) throws {
    let text = try text(Self.own + name)
    #expect(outcome(text, try verifier(Self.own + root)).hasPrefix(expected), "\(name)")
    #expect(outcome(text, try applesVerifier()).hasPrefix("its certificates do not lead to"), "\(name)")
  }

  private static let library =
    "apple__app-store-server-library-swift/Tests__AppStoreServerLibraryTests__resources__"

  @Test(arguments: [
    ("transactionInfo", "read"), ("renewalInfo", "read"), ("testNotification", "TEST"),
    ("missingX5CHeaderClaim", "it has 0 certificates instead of 3"),
    ("wrongBundleId", "it was signed at 2022-03-04"), ("legacyTransaction", "it is not a JWS"),
  ])
  func applesTestData(_ name: String, expected: String) throws {
    let verifier = try verifier(Self.library + "certs__testCA.der")
    let found = outcome(try text(Self.library + "mock_signed_data__" + name), verifier)
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test func rowsOfServerAPIAnswers() throws {
    let verifier = try applesVerifier()
    var rows: [Transaction] = []
    var infos: [RenewalInfo] = []
    for name in ["get_all_subscription_statuses", "get_refund_history", "get_transaction_history"] {
      let answer = try text("Omnimind-Ltd__app-store-server-sdk/test__json__\(name).json")
      for part in answer.split(separator: "\"") where part.hasPrefix("eyJ") {
        if let row = try? verifier.read(String(part), as: SignedTransaction.self) {
          rows.append(try row.transaction())
        } else {
          infos.append(try verifier.read(String(part), as: SignedRenewalInfo.self).renewalInfo())
        }
      }
    }
    print("signed: \(rows.count) transactions and \(infos.count) renewal infos of the Server API")
    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { $0.terms != nil && $0.purchaseDate > FieldLimits.earliest })
  }
}

private struct AnySigned: SignedPayload {
  var productId: String?
  var notificationType: String?
  var receiptType: String?
  var signedDate: Int64?
  var receiptCreationDate: Int64?
  var environment: String?

  /// A notification of 2022 has a signing date only in its transaction, which is not decoded here.
  var signedAt: Instant? {
    Instant(milliseconds: signedDate ?? receiptCreationDate ?? 1_646_387_008_228)
  }
}
