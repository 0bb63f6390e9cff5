import Subscriptions

/// What a word of the index's case column means for the domain.
enum IndexWord {
  /// The domain's view must show it, and must not show it where the index does not.
  case shown(String)
  /// So many rows must have arrived at the least, whatever place they stood in.
  case rows(Int)
  /// Nothing that the domain knows, and why.
  case silent(String)
  /// The domain's view must show it; others may show it too.
  case holds(@Sendable (Answer) -> Bool)
  case status(Int)
  case retryable(Bool)

  /// Nil for a word that nobody has thought about.
  init?(_ word: String) {
    // A note in brackets after a word says where the file came from.
    let word = word.hasPrefix("auto_renew off") ? "auto_renew off" : word
    if let same = Self.synonyms[word] {
      self = .shown(same)
    } else if let reason = Self.silent.first(where: { word.hasPrefix($0.key) })?.value {
      self = .silent(reason)
    } else if let test = Self.tests[word] {
      self = .holds(test)
    } else if let number = Self.number(word, after: "status ") {
      self = .status(number)
    } else if let number = Self.number(word, after: "in_app ") {
      self = .rows(number)
    } else if word.hasPrefix("is_retryable=") {
      self = .retryable(word.hasSuffix("true"))
    } else if let intent = Self.number(word, after: "top-level expiration_intent ") {
      self = .shown("expiration_intent \(intent)")
    } else if Self.known.contains(word) || Self.prefixes.contains(where: word.hasPrefix)
      || Self.suffixes.contains(where: word.hasSuffix)
    {
      self = .shown(word)
    } else {
      return nil
    }
  }

  private static func number(_ word: String, after prefix: String) -> Int? {
    word.hasPrefix(prefix) ? Int(word.dropFirst(prefix.count)) : nil
  }

  /// Two ways of writing what is one thing to the domain.
  private static let synonyms = [
    "latest_receipt_info is an OBJECT": "latest_receipt_info 1",
    "latest_expired_receipt_info": "latest_receipt_info 1",
    "top-level billing retry 1": "BILLING RETRY 1",
  ]

  private static let known: Set<String> = [
    "TRIAL", "INTRO", "promotional_offer_id", "offer_code_ref_name", "app_account_token", "FAMILY_SHARED",
    "UPGRADED", "UPGRADED with cancellation_date", "UPGRADED without cancellation_date", "ACTIVE at request",
    "EXPIRED at request", "BILLING RETRY 1", "GRACE", "auto_renew off", "PLAN CHANGE pending",
    "renewal promotional_offer_id", "pending_renewal_info without original_transaction_id",
  ]

  private static let tests: [String: @Sendable (Answer) -> Bool] = [
    "in_app EMPTY": { $0.transactions.isEmpty },
    "original_purchase_date AFTER purchase_date": { answer in
      answer.transactions.contains { row in row.originalPurchaseDate.map { $0 > row.purchaseDate } ?? false }
    },
    "top-level auto_renew_status (int)": { $0.renewalInfos.contains { $0.autoRenewStatus != nil } },
  ]
  private static let prefixes = [
    "env ", "latest_receipt_info ", "GAP in chain ", "REFUND/REVOKE reason ", "expiration_intent ",
    "price_consent_status ",
  ]
  private static let suffixes = [
    " original_transaction_ids", " groups", " products", " pending_renewal_info",
    " without expires_date (consumable/non-consumable/non-renewing)",
  ]

  private static let silent = [
    "receipt_type":
      "the environment of an answer is its own field; the type tells it only where that is missing",
    "download_id": "no figure uses it, so it is not read",
    "order:": "no order is trusted; that none matters is tested by shuffling every answer",
    "UNSORTED": "no order is trusted; that none matters is tested by shuffling every answer",
    "iOS6-style receipt": "where its one transaction stands; what it says is in the other words",
    "DUPLICATE transaction_id": "one transaction told twice; the number of rows tells that it counts once",
    "exception field": "an error's free text",
    "one transaction only": "how much of an answer the file holds",
    "transaction array only": "how much of an answer the file holds",
    "receipt object only": "how much of an answer the file holds",
  ]
}
