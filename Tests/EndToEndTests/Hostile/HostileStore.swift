import FakeAppStore

/// A store in which every text from outside is hostile.
struct HostileStore: Sendable {
  static let shared = Task { try await HostileStore() }

  let subtop: Subtop
  /// Just after what the store knows.
  static let at = "2026-06-01T00:00:00Z"
  private static let now: Int64 = 1_780_272_000_000
  private static let day: Int64 = 86_400_000

  private init() async throws {
    subtop = try Subtop()
    let texts = HostileText.all
    try await load("responses", texts.map(Self.answer))
    try await load("notifications", texts.map(Self.notification))
    try await load(
      "catalog",
      [CatalogText.header.replacing("\n", with: "")]
        + texts.compactMap { text in text.csv.map { "\($0),,1,P1M,,9.99,USD," } })
    try await load(
      "receipts",
      texts.enumerated().map {
        "{\"receipt-data\":\"MIIB\(1000 + $0)\",\"bundle_id\":\($1.json),\"app_user_id\":\($1.json)}"
      })
  }

  private func load(_ kind: String, _ lines: [String]) async throws {
    let file = try subtop.file("\(kind).txt", lines.joined(separator: "\n") + "\n")
    let outcome = try await subtop.run("import", kind, file)
    guard outcome.ending == .code(0) else { throw NotLoaded(said: outcome.errors) }
  }

  struct NotLoaded: Error { let said: String }

  /// Four chains: active, in billing retry, refunded, upgraded.
  private static func answer(_ hostile: HostileText) -> String {
    let rows = [
      row("a", "1", hostile, from: -10, to: 20), row("r", "1", hostile, from: -35, to: -5),
      row("c", "1", hostile, from: -10, to: 20, more: cancelled(hostile)),
      row("u", "1", hostile, from: -10, to: 20, more: cancelled(hostile) + ",\"is_upgraded\":\"true\""),
      row("u", "2", hostile, from: -2, to: 28),
    ]
    let pending = ["a", "r", "c", "u"].map { chain in
      """
      {"original_transaction_id":\(id(chain, hostile)),"product_id":\(hostile.json),"auto_renew_status":"1",\
      "auto_renew_product_id":\(hostile.json),"is_in_billing_retry_period":"\(chain == "r" ? 1 : 0)",\
      "expiration_intent":\(chain == "r" ? "\"2\"" : hostile.json),"price_consent_status":\(hostile.json),\
      "promotional_offer_id":\(hostile.json),"offer_code_ref_name":\(hostile.json)}
      """
    }
    return """
      {"app_user_id":\(hostile.json),"observed_at_ms":\(now - 1000),"response":{"status":0,\
      "environment":"Production","receipt":{"receipt_type":"Production","bundle_id":\(hostile.json),\
      "request_date_ms":"\(now - 1000)","in_app":[]},"latest_receipt_info":[\(rows.joined(separator: ","))],\
      "pending_renewal_info":[\(pending.joined(separator: ","))]}}
      """
  }

  private static func row(
    _ chain: String, _ number: String, _ hostile: HostileText, from: Int64, to: Int64, more: String = ""
  ) -> String {
    """
    {"product_id":\(hostile.json),"transaction_id":\(id(chain + number, hostile)),"quantity":"1",\
    "original_transaction_id":\(id(chain, hostile)),"web_order_line_item_id":\(id(chain + number, hostile)),\
    "subscription_group_identifier":\(hostile.json),"in_app_ownership_type":\(hostile.json),\
    "promotional_offer_id":\(hostile.json),"offer_code_ref_name":\(hostile.json),\
    "app_account_token":\(hostile.json),"purchase_date_ms":"\(now + from * day)",\
    "expires_date_ms":"\(now + to * day)"\(more)}
    """
  }

  private static func cancelled(_ hostile: HostileText) -> String {
    ",\"cancellation_date_ms\":\"\(now - 2 * day)\",\"cancellation_reason\":\(hostile.json)"
  }

  private static func id(_ prefix: String, _ hostile: HostileText) -> String {
    HostileText.json(prefix + hostile.text)
  }

  private static func notification(_ hostile: HostileText) -> String {
    """
    {"app_user_id":\(hostile.json),"observed_at_ms":\(now - 500),"notification":{"notification_type":\(hostile.json),\
    "password":"\(FakeStore.defaultSharedSecret)","environment":"PROD","bid":\(hostile.json),\
    "original_transaction_id":\(id("a", hostile)),"auto_renew_product_id":\(hostile.json),\
    "unified_receipt":{"status":0,"environment":"Production",\
    "latest_receipt_info":[\(row("a", "1", hostile, from: -10, to: 20))],"pending_renewal_info":[]}}}
    """
  }
}
