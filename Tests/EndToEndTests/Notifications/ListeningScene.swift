import AppStore
import FoundationEssentials
import GRDB
import TestSupport
import Testing

/// Listener that trusts a test authority, and notifications signed by it.
struct ListeningScene: Sendable {
  typealias Fields = SignedNotificationFields
  let authority: SigningAuthority
  var subtop: Subtop
  private let root: String

  init() throws {
    subtop = try Subtop()
    subtop.secret = "TOPSECRET"
    authority = try #require(SigningAuthority())
    let certificate = Data(authority.root.der).base64EncodedString()
    root = try subtop.file(
      "root.pem", "-----BEGIN CERTIFICATE-----\n\(certificate)\n-----END CERTIFICATE-----\n")
  }

  func configuration(_ listen: String = "") throws -> String {
    try subtop.file("config.toml", "root_certificate_file = \"\(root)\"\n[listen]\n\(listen)\n")
  }

  func purchase(_ number: Int) -> String {
    let chain = "3000\(number)"
    return authority.notification(
      Fields("SUBSCRIBED", "INITIAL_BUY", uuid: Fields.uuid(number)),
      transaction: SignedTransactionFields(transactionId: chain, originalTransactionId: chain),
      renewal: SignedRenewalInfoFields { $0.originalTransactionId = chain })
  }

  func uuids(_ store: String? = nil) throws -> Set<String> {
    try DatabaseQueue(path: store ?? subtop.store).read { db in
      try String.fetchSet(db, sql: "SELECT uuid FROM notifications WHERE uuid IS NOT NULL")
    }
  }
}
