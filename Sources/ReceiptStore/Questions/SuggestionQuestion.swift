import GRDB
import Subscriptions

extension ReceiptStore {
  /// Returns ids that begin with a text and offers that match it; if these are fewer than `limit`, also app
  /// user ids and original transaction ids that match it, from a scan.
  ///
  /// - Parameter patience: Time limit for the scan.
  public func suggestions(
    for text: String, limit: Int = 12, patience: Duration = .milliseconds(40), while isWanted: () -> Bool
  ) throws(StoreError) -> IDSuggestions {
    guard !text.isEmpty, limit > 0 else { return IDSuggestions() }
    return try read("look for ids in") { db in
      SharedNeeds.require(.starting(text, limit: limit))
      return try SuggestionQuestion(db: db, text: text, limit: limit).answer(
        within: patience, while: isWanted)
    }
  }

  /// Returns the environments, products, storefronts and currencies of stored transactions, the products in
  /// the catalog, and the offers of the lines' first paid periods.
  public func knownNames() throws(StoreError) -> KnownNames {
    try read("look for names in") { db in
      var known = KnownNames()
      let shapes = "SELECT DISTINCT environment, product_id, storefront, currency FROM transaction_shapes"
      try db.forEach(shapes) {
        known.environments.insert(StoreEnvironment(try $0.read(0) as String))
        known.products.insert(try $0.read(1))
        if let storefront: StorefrontCode = $0.text(2) { known.storefronts.insert(storefront) }
        if let currency: CurrencyCode = $0.text(3) { known.currencies.insert(currency) }
      }
      let catalog = try String.fetchAll(db, sql: "SELECT DISTINCT product_id FROM catalog")
      known.products.formUnion(catalog.map { ProductID($0) })
      for origin in try CohortShape.fetchAll(db).values.map(\.origin) {
        known.offers.insert(.kind(origin.kind))
        if let offer = origin.offer { known.offers.insert(.offer(origin.kind, offer)) }
      }
      return known
    }
  }
}

private struct SuggestionQuestion {
  let db: Database
  let text: String
  let limit: Int
  private let searched: SearchText

  init(db: Database, text: String, limit: Int) {
    (self.db, self.text, self.limit) = (db, text, limit)
    searched = SearchText(text)
  }

  private static let pace = 5000

  func answer(within patience: Duration, while isWanted: () -> Bool) throws -> IDSuggestions {
    var found = try beginning() + offers()
    var isComplete = true
    // A single letter matches nearly all ids.
    if found.count < limit, text.count > 1 {
      let end = ContinuousClock.now + patience
      for (kind, table, column, condition) in Self.texts where isComplete {
        isComplete = try scan(kind, table, column, condition, into: &found) {
          ContinuousClock.now < end && isWanted()
        }
      }
    }
    var leading: [IDSuggestion] = []
    for suggestion in ranked(found) where leading.count < limit {
      if try leadsSomewhere(suggestion) { leading.append(suggestion) }
    }
    return IDSuggestions(leading, isComplete: isComplete)
  }

  /// Returns whether a suggestion leads to chains; a user whose receipts were never validated does not.
  private func leadsSomewhere(_ suggestion: IDSuggestion) throws -> Bool {
    guard suggestion.kind == .appUser else { return true }
    return try Bool.first(
      db,
      """
      SELECT EXISTS (SELECT 1 FROM receipts q JOIN receipt_chains k ON k.receipt_id = q.id
        WHERE q.app_user_id = ? AND q.app_user_id <> '')
      """, [suggestion.id]) ?? false
  }

  private static let texts: [(IDSuggestion.Kind, String, String, String)] = [
    (.appUser, "receipts", "app_user_id", "app_user_id <> ''"),
    (.originalTransaction, "chains", "original_transaction_id", "1"),
  ]

  private func ranked(_ found: [IDSuggestion]) -> [IDSuggestion] {
    let order = IDSuggestion.Kind.allCases
    return Set(found).map { suggestion in
      (suggestion, searched.nearness(to: suggestion.id) ?? 4, order.firstIndex(of: suggestion.kind) ?? 0)
    }.sorted {
      ($0.1, $0.2, $0.0.id.utf8.count, $0.0.id) < ($1.1, $1.2, $1.0.id.utf8.count, $1.0.id)
    }.map(\.0)
  }

  // MARK: Prefixes

  private func beginning() throws -> [IDSuggestion] {
    let ids: [(IDSuggestion.Kind, String, String, String)] =
      Self.texts + [
        (.appTransaction, "signed_terms", "app_transaction_id", "app_transaction_id IS NOT NULL"),
        (.transaction, "transaction_rows", "transaction_id", "1"),
        (.order, "transaction_rows", "web_order_line_item_id", "web_order_line_item_id IS NOT NULL"),
      ]
    let tokens = try Set([text.lowercased(), text.uppercased()]).flatMap {
      try texts(.accountToken, "transaction_rows", "app_account_token", "app_account_token IS NOT NULL", $0)
    }
    return try tokens + ids.flatMap { try texts($0.0, $0.1, $0.2, $0.3, text) }
  }

  private func texts(
    _ kind: IDSuggestion.Kind, _ table: String, _ column: String, _ condition: String, _ start: String
  ) throws -> [IDSuggestion] {
    // The upper bound follows every id with the prefix, because no id contains the last Unicode scalar.
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT \(column) FROM \(table)
          WHERE \(condition) AND \(column) >= ? AND \(column) < ? ORDER BY \(column) LIMIT ?
          """), arguments: [start, start + "\u{10FFFF}", limit]
    ).map { IDSuggestion(kind, $0) }
  }

  /// Returns the matching offers; all are scanned, because they are few.
  private func offers() throws -> [IDSuggestion] {
    var offers: Set<String> = []
    try FactShape.forEach(after: 0, db) { _, shape in
      if case .offer(let use) = shape.kind.kind, let offer = use.offer { offers.insert(offer) }
    }
    return offers.filter { searched.nearness(to: $0) != nil }.map { IDSuggestion(.offer, $0) }
  }

  // MARK: Substrings

  /// - Returns: `false` if `goesOn` stopped the scan before the end.
  private func scan(
    _ kind: IDSuggestion.Kind, _ table: String, _ column: String, _ condition: String,
    into found: inout [IDSuggestion], goesOn: () -> Bool
  ) throws -> Bool {
    let page =
      "SELECT DISTINCT \(column) AS id FROM \(table) WHERE \(condition) AND \(column) > ? ORDER BY \(column) LIMIT \(Self.pace)"
    let matches = try db.cachedStatement(
      sql: "SELECT id FROM (\(page)) WHERE id LIKE ? ESCAPE '\\' LIMIT 200")
    var last = ""
    while true {
      guard goesOn() else { return false }
      found += try String.fetchAll(matches, arguments: [last, pattern]).map { IDSuggestion(kind, $0) }
      let ends = try db.rows("SELECT max(id), count(*) FROM (\(page))", [last]) { end in
        end.count(1) == Self.pace ? end.text(0) : nil
      }
      guard let end = ends.first else { return true }
      last = end
    }
  }

  /// `LIKE` pattern for texts that contain the pieces of the searched text (`SearchText`) in order.
  private var pattern: String {
    searched.pieces.reduce(into: "%") { pattern, piece in
      pattern += ["%", "_", "\\"].contains(piece) ? "\\\(piece)%" : "\(piece)%"
    }
  }
}
