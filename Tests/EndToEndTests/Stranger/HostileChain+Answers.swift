extension HostileChain {
  /// What `import responses` reads: an answer for each observation.
  func answers(using generator: inout SeededGenerator) -> [String] {
    observations.map { answer(at: $0, using: &generator) }
  }

  /// The transaction ids that the answers carry.
  var toldIDs: Set<String> {
    Set(rows.filter { row in observations.contains { $0 >= row.start - Stranger.day } }.map(\.id))
  }

  private func answer(at observed: Int, using generator: inout SeededGenerator) -> String {
    let known = rows.filter { $0.start - Stranger.day <= observed }.shuffled(using: &generator)
    let inApp = known.filter { _ in generator.chance(10) }.map {
      text(of: $0, at: observed - 40 * Stranger.day)
    }
    let infos = renewals(of: known, at: observed, using: &generator)
    let environment = isSandbox ? "Sandbox" : "Production"
    let members: [(String, String)] = [
      ("status", "0"), ("environment", quoted(environment)),
      (
        "receipt",
        object([
          ("receipt_type", quoted(environment)), ("bundle_id", quoted("com.example.hostile")),
          ("request_date_ms", quoted("\(observed)")), ("in_app", list(inApp)),
        ])
      ),
      ("latest_receipt_info", list(known.map { text(of: $0, at: observed) })),
    ]
    let response = object(members + (infos.isEmpty ? [] : [("pending_renewal_info", list(infos))]))
    let envelope = [("observed_at_ms", "\(observed)"), ("response", response)]
    return object(envelope + (user.map { [("app_user_id", quoted($0))] } ?? []))
  }

  /// A row as it was known at an instant.
  private func text(of row: HostileRow, at instant: Int) -> String {
    var members = [
      ("quantity", "1"), ("product_id", row.product), ("transaction_id", row.id),
      ("original_transaction_id", id),
      ("purchase_date_ms", "\(row.start)"), ("expires_date_ms", "\(row.end)"),
      ("subscription_group_identifier", row.group),
      ("in_app_ownership_type", row.isShared ? "FAMILY_SHARED" : "PURCHASED"),
    ]
    members += row.marks + (row.order.map { [("web_order_line_item_id", $0)] } ?? [])
    if let cancelled = row.cancelled, cancelled <= instant {
      members.append(("cancellation_date_ms", "\(cancelled)"))
      if let reason = row.reason { members.append(("cancellation_reason", reason)) }
    }
    if row.isUpgraded, instant >= row.start { members.append(("is_upgraded", "true")) }
    return object(members.map { ($0, quoted($1)) })
  }

  private func renewals(
    of known: [HostileRow], at observed: Int, using generator: inout SeededGenerator
  ) -> [String] {
    guard let latest = known.max(by: { $0.end < $1.end }), generator.chance(90) else { return [] }
    let count = generator.one(of: [1, 1, 1, 1, 2])
    let products =
      count == 1 ? [latest.product] : Set([latest.product, generator.one(of: known).product]).sorted()
    return products.map { renewal(of: $0, latest: latest, at: observed, using: &generator) }
  }

  private func renewal(
    of product: String, latest: HostileRow, at observed: Int, using generator: inout SeededGenerator
  ) -> String {
    let next = generator.one(of: HostileCatalog.products[latest.group] ?? []).id
    let grace = latest.end + generator.one(of: [6, 16]) * Stranger.day
    var members: [(String, String)] = [("product_id", product)]
    if generator.chance(90) { members.append(("original_transaction_id", id)) }
    if generator.chance(90) {
      members.append(("auto_renew_product_id", generator.chance(70) ? product : next))
    }
    if generator.chance(90) { members.append(("auto_renew_status", generator.chance(60) ? "1" : "0")) }
    if generator.chance(50) {
      members.append(("expiration_intent", "\(Int.random(in: 1...5, using: &generator))"))
    }
    if generator.chance(60) {
      members.append(("is_in_billing_retry_period", generator.chance(60) ? "1" : "0"))
    }
    if generator.chance(25) { members.append(("grace_period_expires_date_ms", "\(grace)")) }
    if generator.chance(25) { members.append(("price_consent_status", generator.chance(50) ? "0" : "1")) }
    return object(members.map { ($0, quoted($1)) })
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }
  private func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

  private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
}
