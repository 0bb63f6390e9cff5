import Subscriptions

/// Values that nearly all rows of a chain share. A row stores such a value only if it differs.
struct ChainCommon {
  /// Instant at which the chain's transactions and events were first seen. No receipt was seen to hold the
  /// chain earlier.
  var observedAt: Instant?
  var originalPurchaseDate: Instant?
  var appAccountToken: String?

  /// Marks a missing date in a row if the chain has one.
  static let noDate = Instant.distantPast
  /// Marks a missing token in a row if the chain has one. Tokens are text.
  static let noToken: Int64 = 0

  init() {}

  /// - Parameter transaction: First transaction of the chain.
  init(_ transaction: Transaction?, observedAt: Instant) {
    self.observedAt = observedAt
    originalPurchaseDate = transaction?.originalPurchaseDate
    appAccountToken = transaction?.appAccountToken
  }

  /// Returns the first sighting to store in a row; `nil` if it equals the chain's.
  func told(observedAt t: Instant) -> Instant? { t == observedAt ? nil : t }

  func told(originalPurchaseDate date: Instant?) -> Instant? {
    date == originalPurchaseDate ? nil : date ?? Self.noDate
  }

  func originalPurchaseDate(told date: Instant?) -> Instant? {
    let date = date ?? originalPurchaseDate
    return date == Self.noDate ? nil : date
  }

  func bind(appAccountToken token: String?, to statement: inout BoundStatement) {
    if let token {
      let isCommon = appAccountToken.map { $0.utf8.elementsEqual(token.utf8) } ?? false
      statement.bind(isCommon ? nil : token)
    } else {
      statement.bind(appAccountToken == nil ? nil : Self.noToken)
    }
  }
}
