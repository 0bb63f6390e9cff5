import Subscriptions

/// What nearly all rows of a chain tell alike, told once: a row tells it only where it differs.
struct ChainCommon {
  /// When its transactions and events were first seen. No receipt was seen to hold the chain before.
  var observedAt: Instant?
  var originalPurchaseDate: Instant?
  var appAccountToken: String?

  /// Stands in a row for a date that is not there, where the chain has one.
  static let noDate = Instant.distantPast
  /// The same for a token, which is text.
  static let noToken: Int64 = 0

  init() {}

  /// - Parameter transaction: the chain's first.
  init(_ transaction: Transaction?, observedAt: Instant) {
    self.observedAt = observedAt
    originalPurchaseDate = transaction?.originalPurchaseDate
    appAccountToken = transaction?.appAccountToken
  }

  /// What a row tells of when it was first seen.
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
