import Subscriptions

/// Page of a customer's history: *App Store Server API › HistoryResponse*.
struct HistoryPage: Sendable {
  let rows: [LifeRow]
  let revision: Revision
  let hasMore: Bool

  static let size = 20

  /// - Throws: 4000005 if the revision is unknown or belongs to another customer.
  init(
    of life: Life, _ subscriber: Subscriber, _ query: HistoryQuery, at now: Instant
  ) throws(FakeServerAPIError) {
    let history = life.history(at: now)
    let beginning = Revision.beginning(of: subscriber)
    if let revision = query.revision, revision != beginning {
      let row = history.first { $0.row.transaction.transactionID.rawValue == revision.transactionID }
      guard let row, revision.modified <= now,
        row.row.lastChange(upTo: revision.modified) == revision.modified
      else {
        throw .invalidRequestRevision
      }
    }
    let wanted = history.filter { $0.row.transaction(at: now).map(query.includes) ?? false }
    let after =
      query.revision.map { revision in
        wanted.filter {
          query.isDescending && revision != beginning ? $0.revision < revision : $0.revision > revision
        }
      } ?? wanted
    let ordered = query.isDescending ? after.reversed() : after
    let page = ordered.prefix(Self.size)
    rows = page.map(\.row)
    revision = page.last?.revision ?? query.revision ?? beginning
    hasMore = ordered.count > page.count
  }
}

extension Revision: Comparable {
  /// Compares ids as text. All ids of a customer have the same length.
  static func < (left: Self, right: Self) -> Bool {
    (left.modified, left.transactionID) < (right.modified, right.transactionID)
  }
}

extension Life {
  /// Returns the visible rows with the revision of their last change, least recently changed first. A refund
  /// or an upgrade moves a row to the end.
  func history(at t: Instant) -> [(row: LifeRow, revision: Revision)] {
    rows.compactMap { row in
      row.lastChange(upTo: t).map {
        (row, Revision(modified: $0, transactionID: row.transaction.transactionID.rawValue))
      }
    }.sorted { $0.revision < $1.revision }
  }
}

/// Position of a client in a history: the last row that it has read, and the date of the row's last change.
struct Revision: Hashable, Sendable {
  let modified: Instant
  let transactionID: String

  var text: String { "\(modified.rawValue)_\(transactionID)" }

  static func beginning(of subscriber: Subscriber) -> Self {
    Self(modified: Instant(milliseconds: 0), transactionID: subscriber.appTransactionID)
  }
}

extension Revision {
  init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), milliseconds >= 0 else { return nil }
    self.init(modified: Instant(milliseconds: milliseconds), transactionID: String(parts[1]))
  }
}

/// Query for a history: *App Store Server API › Get Transaction History › query parameters*.
struct HistoryQuery: Sendable {
  var revision: Revision?
  var startDate: Instant?
  var endDate: Instant?
  var productIDs: Set<String> = []
  var productTypes: Set<String> = []
  var groups: Set<String> = []
  var isDescending = false
  var ownership: OwnershipType?
  var revoked: Bool?

  init(_ request: ServerAPIRequest) throws(FakeServerAPIError) {
    func value<Value>(
      _ name: String, _ error: FakeServerAPIError, _ read: (String) -> Value?
    ) throws(FakeServerAPIError) -> Value? {
      guard let text = request.values(name).last else { return nil }
      guard let value = read(text) else { throw error }
      return value
    }
    let date = { Int64($0).flatMap { $0 < 0 ? nil : Instant(milliseconds: $0) } }
    revision = try value("revision", .invalidRequestRevision, Revision.init)
    startDate = try value("startDate", .invalidStartDate, date)
    endDate = try value("endDate", .invalidEndDate, date)
    if let startDate, let endDate, startDate >= endDate { throw .startDateAfterEndDate }
    isDescending =
      try value("sort", .invalidSort) { ["ASCENDING": false, "DESCENDING": true][$0] } ?? false
    revoked = try value("revoked", .invalidRevoked) { Bool($0.lowercased()) }
    ownership = try value("inAppOwnershipType", .invalidInAppOwnershipType) {
      ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"].contains($0) ? OwnershipType($0) : nil
    }
    productIDs = Set(request.values("productId"))
    if productIDs.contains("") { throw .invalidProductID }
    groups = Set(request.values("subscriptionGroupIdentifier"))
    if groups.contains("") { throw .invalidSubscriptionGroupIdentifier }
    for name in request.values("productType") {
      guard let type = FakeCatalog.productTypes[name] else { throw .invalidProductType }
      productTypes.insert(type)
    }
  }

  func includes(_ row: Transaction) -> Bool {
    (startDate.map { row.purchaseDate >= $0 } ?? true) && (endDate.map { row.purchaseDate < $0 } ?? true)
      && (productIDs.isEmpty || productIDs.contains(row.productID.rawValue))
      && (productTypes.isEmpty || productTypes.contains(FakeCatalog.productType(of: row)))
      && (groups.isEmpty || groups.contains(row.subscriptionGroupIdentifier?.rawValue ?? ""))
      && (ownership.map { row.inAppOwnershipType == $0 } ?? true)
      && (revoked.map { (row.cancellationDate != nil) == $0 } ?? true)
  }
}
