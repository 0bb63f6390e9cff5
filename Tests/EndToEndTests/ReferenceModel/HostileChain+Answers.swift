import TestSupport

extension HostileChain {
  func answers(using generator: inout Seeded) -> [String] {
    var infos: [String: String] = [:]
    return observations.map { answer(at: $0, infos: &infos, using: &generator) }
  }

  var signed: [SignedTransactionFields] {
    signedRows.map { row in
      SignedTransactionFields {
        $0.transactionId = row.id
        $0.originalTransactionId = id
        $0.productId = row.product
        $0.bundleId = "com.example.hostile"
        $0.purchaseDate = Int64(row.start)
        $0.expiresDate = Int64(row.end)
        $0.signedDate = Int64((observations.last ?? 0) - 1)
        $0.environment = isSandbox ? "Sandbox" : "Production"
        $0.price = row.signedPrice.map(Int64.init)
        $0.currency = "USD"
        $0.webOrderLineItemId = row.order
      }
    }
  }

  var answerRows: [HostileRow] {
    rows.filter { row in observations.contains { $0 >= row.start - ReferenceModel.day } }
  }

  /// - Parameter infos: Elements of the previous `pending_renewal_info`; some are repeated.
  private func answer(
    at observed: Int, infos: inout [String: String], using generator: inout Seeded
  ) -> String {
    let known = rows.filter { $0.start - ReferenceModel.day <= observed }.shuffled(using: &generator)
    // Answers after the first may omit old rows.
    let isPartial = observed != observations.first && generator.chance(20)
    let listed = known.filter { !isPartial || $0.end > observed - 120 * ReferenceModel.day }
    let stale = listed.filter { _ in generator.chance(10) }.map {
      text(of: $0, at: observed - 40 * ReferenceModel.day)
    }
    let renewals = renewals(of: known, at: observed, before: infos, using: &generator)
    infos.merge(renewals) { $1 }
    let environment = isSandbox ? "Sandbox" : "Production"
    let members: [(String, String)] = [
      ("status", "0"), ("environment", quoted(environment)),
      (
        "receipt",
        object([
          ("receipt_type", quoted(environment)), ("bundle_id", quoted("com.example.hostile")),
          ("request_date_ms", quoted("\(observed)")), ("in_app", list(stale)),
        ])
      ),
      ("latest_receipt_info", list(listed.map { text(of: $0, at: observed) })),
    ]
    let pending = list(renewals.sorted { $0.key < $1.key }.map(\.value))
    let response = object(members + (renewals.isEmpty ? [] : [("pending_renewal_info", pending)]))
    let holder = observed == observations.last ? guest ?? user : user
    let envelope = [("observed_at_ms", "\(observed)"), ("response", response)]
    return object(envelope + (holder.map { [("app_user_id", quoted($0))] } ?? []))
  }

  private func text(of row: HostileRow, at instant: Int) -> String {
    let isLast = instant == observations.last
    var members = [
      ("quantity", "1"), ("product_id", row.product), ("transaction_id", row.id),
      ("original_transaction_id", id), ("purchase_date_ms", "\(row.start)"),
      ("in_app_ownership_type", row.isShared ? "FAMILY_SHARED" : "PURCHASED"),
    ]
    if !row.isOneTime {
      members.append(("expires_date_ms", "\(isLast ? row.end : row.earlierEnd ?? row.end)"))
    }
    if let original = row.originalStart { members.append(("original_purchase_date_ms", "\(original)")) }
    if !row.isWithoutGroup { members.append(("subscription_group_identifier", row.group)) }
    members += row.marks + (row.order.map { [("web_order_line_item_id", $0)] } ?? [])
    if let cancelled = row.cancelled, cancelled <= instant, !(isLast && row.isTakenBack) {
      members.append(("cancellation_date_ms", "\(isLast ? row.redated ?? cancelled : cancelled)"))
      if let reason = row.reason { members.append(("cancellation_reason", reason)) }
    }
    if row.isUpgraded, instant >= row.start { members.append(("is_upgraded", "true")) }
    return object(members.map { ($0, quoted($1)) })
  }

  private func renewals(
    of known: [HostileRow], at observed: Int, before: [String: String], using generator: inout Seeded
  ) -> [String: String] {
    guard let latest = known.max(by: { $0.end < $1.end }), generator.chance(90) else { return [:] }
    let other = generator.one(of: [latest, latest, latest, generator.one(of: known)])
    var elements: [String: String] = [:]
    for product in Set([latest.product, other.product]).sorted() {
      let new = renewal(of: product, latest: latest, at: observed, using: &generator)
      elements[product] = elements.isEmpty || generator.chance(50) ? new : before[product] ?? new
    }
    return elements
  }

  private func renewal(
    of product: String, latest: HostileRow, at observed: Int, using generator: inout Seeded
  ) -> String {
    let next = generator.one(of: HostileCatalog.products[latest.group] ?? []).id
    let grace = latest.end + generator.one(of: [6, 16]) * ReferenceModel.day
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
