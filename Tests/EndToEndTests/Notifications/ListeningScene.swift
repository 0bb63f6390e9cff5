import AppStore
import FoundationEssentials
import GRDB
import TestSupport
import Testing

/// What tests of listeners share: an authority that the program trusts in Apple's place, and notifications that it signed.
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

  /// A configuration file, with more in its table `[listen]`.
  func configuration(_ listen: String = "") throws -> String {
    try subtop.file("config.toml", "root_certificate_file = \"\(root)\"\n[listen]\n\(listen)\n")
  }

  /// The nth customer's first purchase.
  func purchase(_ number: Int) -> String {
    let chain = "3000\(number)"
    return authority.notification(
      Fields("SUBSCRIBED", "INITIAL_BUY", uuid: Fields.uuid(number)),
      transaction: SignedTransactionFields(transactionId: chain, originalTransactionId: chain),
      renewal: SignedRenewalInfoFields { $0.originalTransactionId = chain })
  }

  /// Of the notifications that a store holds.
  func uuids(_ store: String? = nil) throws -> Set<String> {
    try DatabaseQueue(path: store ?? subtop.store).read { db in
      try String.fetchSet(db, sql: "SELECT uuid FROM notifications WHERE uuid IS NOT NULL")
    }
  }
}
