import AppStore
import GRDB
import Glibc
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
    (authority, root) = try subtop.signingAuthority()
  }

  func configuration(_ listen: String = "") throws -> String {
    try subtop.file("config.toml", "root_certificate_file = \"\(root)\"\n[listen]\n\(listen)\n")
  }

  func purchase(_ number: Int) -> String {
    let chain = "3000\(number)"
    return authority.notification(
      Fields("SUBSCRIBED", "INITIAL_BUY", uuid: Fields.uuid(number)),
      transaction: SignedTransactionFields { ($0.transactionId, $0.originalTransactionId) = (chain, chain) },
      renewal: SignedRenewalInfoFields { $0.originalTransactionId = chain })
  }

  func uuids(_ store: String? = nil) throws -> Set<String> {
    var waiting = Configuration()
    waiting.busyMode = .timeout(300)
    return try DatabaseQueue(path: store ?? subtop.store, configuration: waiting).read { db in
      try String.fetchSet(db, sql: "SELECT uuid FROM notifications WHERE uuid IS NOT NULL")
    }
  }
}

extension Child {
  func port() async throws -> Int {
    try await soon("it listens: \(errors)") {
      output.split(separator: "\n").first.flatMap { Int($0.split(separator: ":").last ?? "") }
    }
  }

  func stop(at location: SourceLocation = #_sourceLocation) async throws {
    kill(pid, SIGTERM)
    let ending = try await ending()
    #expect(ending == .code(0), "\(errors)", sourceLocation: location)
  }
}
