import Subscriptions

/// What a request for a history asks for: *App Store Server API › Get Transaction History › query parameters*.
struct HistoryQuery: Sendable {
  var revision: Revision?
  var startDate: Instant?
  var endDate: Instant?
  var productIDs: Set<String> = []
  var productTypes: Set<FakeCatalog.ProductType> = []
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
      guard let type = FakeCatalog.ProductType.allCases.first(where: { $0.queryName == name }) else {
        throw .invalidProductType
      }
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
