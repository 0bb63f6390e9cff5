import Subscriptions

/// An answer as the domain judges it at its own time, put into the words of the corpus' index.
struct Sight {
  let answer: Answer
  let lines: [Line]
  let verdicts: [Verdict]

  init(_ answer: Answer) {
    self.answer = answer
    lines = answer.lines()
    verdicts = lines.compactMap { $0.verdict(at: answer.now) }
  }

  var rows: [Row] { lines.flatMap(\.rows) }
  private var oneTime: [Transaction] { answer.chains.flatMap(\.oneTime) }

  /// What judged lines say of their renewal, and where a chain has no row here, the answer itself.
  private var infos: [RenewalInfo] {
    let used = verdicts.compactMap(\.renewal)
    return used + answer.renewalInfos.filter { !used.contains($0) }
  }

  var words: Set<String> {
    Set(receiptWords + periodWords + endWords + stateWords + renewalWords)
  }

  private var receiptWords: [String] {
    var words = ["env \(answer.environment.rawValue)"]
    let fresh = answer.transactions.count - answer.lagging.count
    // The index counts the rows of whole answers.
    if fresh > 0 { words.append("latest_receipt_info \(fresh)") }
    words += several(answer.chains.count, "original_transaction_ids")
    words += several(Set(rows.compactMap(\.transaction.subscriptionGroupIdentifier)).count, "groups")
    words += several(Set(answer.transactions.map(\.productID)).count, "products")
    words += several(answer.renewalInfos.count, "pending_renewal_info")
    let withoutExpiry = "without expires_date (consumable/non-consumable/non-renewing)"
    if !oneTime.isEmpty { words.append("\(oneTime.count) \(withoutExpiry)") }
    return words
  }

  private func several(_ count: Int, _ noun: String) -> [String] { count > 1 ? ["\(count) \(noun)"] : [] }

  private var periodWords: [String] {
    var words = [
      ("TRIAL", rows.contains { $0.kind == .trial }), ("INTRO", rows.contains { $0.kind == .intro }),
      ("promotional_offer_id", rows.contains { $0.transaction.promotionalOfferID != nil }),
      ("offer_code_ref_name", rows.contains { $0.transaction.offerCodeRefName != nil }),
      ("app_account_token", answer.transactions.contains { $0.appAccountToken != nil }),
      ("FAMILY_SHARED", lines.contains(where: \.isFamilyShared)),
    ].filter(\.1).map(\.0)
    let gaps = lines.flatMap { zip($0.rows, $0.rows.dropFirst()) }.map { $1.purchase - $0.expires }
    // The index leaves out what may be a rounding of seconds.
    if let longest = gaps.max(), longest > Milliseconds.minute {
      words.append("GAP in chain (max \(longest / Milliseconds.second)s)")
    }
    return words
  }

  private var endWords: [String] {
    let upgrades = rows.compactMap(\.upgrade)
    var words = upgrades.isEmpty ? [] : ["UPGRADED"]
    if upgrades.contains(where: \.isConfirmed) { words.append("UPGRADED with cancellation_date") }
    if !upgrades.allSatisfy(\.isConfirmed) { words.append("UPGRADED without cancellation_date") }
    let ended =
      rows.filter { $0.refundedAt != nil }.map(\.transaction) + oneTime.filter { $0.cancellationDate != nil }
    let reasons = Set(ended.map { $0.cancellationReason ?? "None" }).sorted().joined(separator: ",")
    if !ended.isEmpty { words.append("REFUND/REVOKE reason \(reasons)") }
    return words
  }

  private var stateWords: [String] {
    guard answer.requestDate != nil, !verdicts.isEmpty else { return [] }
    let runs = verdicts.contains { $0.state == .active || $0.state == .trial }
    return [runs ? "ACTIVE at request" : "EXPIRED at request"]
  }

  private var renewalWords: [String] {
    var words = [
      ("BILLING RETRY 1", infos.contains { $0.isInBillingRetryPeriod == true }),
      ("GRACE", infos.contains { $0.gracePeriodExpiresDate != nil }),
      ("auto_renew off", infos.contains { $0.autoRenewStatus == false }),
      ("renewal promotional_offer_id", infos.contains { $0.promotionalOfferID != nil }),
      (
        "pending_renewal_info without original_transaction_id",
        answer.renewalInfos.contains { $0.originalTransactionID == nil }
      ),
      ("PLAN CHANGE pending", verdicts.contains(where: \.changePending)),
    ].filter(\.1).map(\.0)
    words += infos.compactMap(\.expirationIntent).map { "expiration_intent \($0.rawValue)" }
    words += infos.compactMap(\.priceConsentStatus).map { "price_consent_status \($0)" }
    return words
  }
}
