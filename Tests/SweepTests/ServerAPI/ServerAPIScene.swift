import AppStore
import FoundationEssentials
import GRDB
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

/// Store with customer ids, and a canned Server API with its own signing authority.
final class ServerAPIScene {
  let server: CannedServer
  let store: ReceiptStore
  let clock = SceneClock()
  let authority: SigningAuthority
  private let folder = TemporaryFolder()

  static let app = BundleID("com.example.pro")
  static let customer = "2000000000000001"

  struct Call: Sendable {
    var path: String
    var token: String

    var isSandbox: Bool { path.hasPrefix("/sandbox") }
    var isHistory: Bool { path.contains("/inApps/v2/history/") }
    var revision: String? {
      path.firstRange(of: "?revision=").map { String(path[$0.upperBound...]) }
    }
    var customer: String {
      String(path.prefix { $0 != "?" }.split(separator: "/").last ?? "")
    }
  }

  init(_ reply: @escaping @Sendable (Call, SigningAuthority) -> CannedReply) throws {
    let authority = try #require(SigningAuthority())
    self.authority = authority
    server = try CannedServer { request in reply(Self.call(request), authority) }
    store = try ReceiptStore(path: folder.file("store.sqlite"))
  }

  deinit { server.close() }

  private static func call(_ request: CannedRequest) -> Call {
    Call(path: request.path, token: request.headers["authorization"] ?? "")
  }

  var calls: [Call] { server.requests.map(Self.call) }

  func add(_ ids: String..., app: BundleID? = ServerAPIScene.app) throws {
    _ = try store.add(
      ids.map { ImportedReceipt(.customer(CustomerID($0)), bundleID: app) }, at: clock.now)
  }

  func key(at now: @escaping @Sendable () -> Instant = { ServerAPIScene.realNow }) throws -> ServerAPIKey {
    let pem = try #require(SharedSecret(Self.pem))
    return try #require(ServerAPIKey(issuerID: "issuer", keyID: "KEY1", pem: pem, clock: now))
  }

  static var realNow: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

  /// Private key for these tests only.
  static let pem = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3n1GN8yCMt2+VUWZ
    gHEjcfQ2EM8JA6wdNEc1GAcu0uyhRANCAATtxyWXxOrO9Nh4NahfgzakjfbSU8hW
    H8Tk5ZleSvoftk2l9vV5kTNhPFDlaKYkKnpsZe5xaZwCkVJZdgVlzCCN
    -----END PRIVATE KEY-----
    """

  func sweep(
    _ selection: SweepSelection = .due, secret: String? = nil, mayUseReceipts: Bool = true,
    key: ServerAPIKey? = nil, hasKey: Bool = true, tries: Int = 1,
    options change: (inout SweepOptions) -> Void = { _ in }
  ) throws -> SweepSummary {
    var options = SweepOptions(tries: tries)
    let url = "http://127.0.0.1:\(server.port)"
    options.production = try AppStoreEndpoint(url + "/verifyReceipt")
    options.sandbox = try AppStoreEndpoint(url + "/sandbox/verifyReceipt")
    options.serverAPI = try AppStoreEndpoint(url)
    options.serverAPISandbox = try AppStoreEndpoint(url + "/sandbox")
    change(&options)
    let key = try key ?? self.key()
    let access = ServerAPIAccess(verifier: SignatureVerifier(root: authority.root)) { app in
      .key(key, app: app ?? Self.app, mayUseReceipts: mayUseReceipts)
    }
    let clock = clock
    return try Sweep(
      selection, of: store, secrets: SharedSecrets { _ in secret.flatMap { SharedSecret($0) } },
      serverAPI: hasKey ? access : nil, options: options, clock: { clock.now }, chance: { 0.5 }
    ).run()
  }

  func reasons() throws -> [String] {
    var waiting = Configuration()
    waiting.busyMode = .timeout(300)
    return try DatabaseQueue(path: folder.file("store.sqlite"), configuration: waiting).read { db in
      try String.fetchAll(
        db,
        sql:
          "SELECT ifnull(dead_reason, last_failure) FROM receipts WHERE dead_reason IS NOT NULL OR last_failure IS NOT NULL"
      )
    }
  }

  func chain(_ id: String = ServerAPIScene.customer) throws -> ChainReport? {
    try store.chains(matching: id, at: clock.now).first
  }
}

enum ServerAPIAnswer {
  struct History: Encodable {
    var revision: String?
    var hasMore = false
    var bundleId = ServerAPIScene.app.rawValue
    var environment = "Production"
    var signedTransactions: [String]
  }

  struct Statuses: Encodable {
    var data: [Group]
    struct Group: Encodable { var lastTransactions: [Item] }
    struct Item: Encodable {
      var status = 1
      var originalTransactionId: String
      var signedTransactionInfo: String
      var signedRenewalInfo: String
    }
  }

  struct Renewal: Encodable {
    var originalTransactionId = ServerAPIScene.customer
    var productId = "com.example.pro.monthly"
    var autoRenewProductId = "com.example.pro.monthly"
    var autoRenewStatus = 1
    var environment = "Production"
    var signedDate: Int64
    var renewalPrice: Int64? = 9990
    var currency: String? = "EUR"
  }

  static func json(_ value: some Encodable) -> CannedReply {
    .answer((try? JSONEncoder().encode(value)).map(Array.init) ?? [])
  }

  static func error(_ code: Int, headers: [String] = []) -> CannedReply {
    .answer(
      #"{"errorCode":\#(code),"errorMessage":"words"}"#, status: code / 10_000, headers: headers)
  }

  static func history(
    _ rows: [SignedTransactionFields], by authority: SigningAuthority, revision: String?,
    hasMore: Bool = false
  ) -> CannedReply {
    json(
      History(
        revision: revision, hasMore: hasMore, signedTransactions: rows.map { authority.sign($0) }))
  }

  static func statuses(
    _ row: SignedTransactionFields, _ renewal: Renewal, by authority: SigningAuthority
  ) -> CannedReply {
    json(
      Statuses(data: [
        .init(lastTransactions: [
          .init(
            originalTransactionId: row.originalTransactionId ?? "",
            signedTransactionInfo: authority.sign(row), signedRenewalInfo: authority.sign(renewal))
        ])
      ]))
  }

  static let noStatuses = json(Statuses(data: []))
}
