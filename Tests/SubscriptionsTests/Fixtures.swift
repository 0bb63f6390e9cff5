import Subscriptions
import TestSupport
import Testing

extension Catalog {
  /// One group: yearly 59.99, level 1; monthly 9.99 and plus 9.99, level 2; weekly 4.99, level 3.
  static let usual = Catalog([
    .make("yearly", 59_990_000, period: Period(1, .year), group: "G", level: 1),
    .make("monthly", 9_990_000, group: "G", level: 2),
    .make("plus", 9_990_000, group: "G", level: 2),
    .make("weekly", 4_990_000, period: Period(1, .week), group: "G", level: 3),
    .make("monthly", 1_990_000, offer: .intro, group: "G", level: 2),
    .make("monthly", 4_990_000, offer: .promo("SPRING"), group: "G", level: 2),
  ])
}

extension Chain {
  /// - Parameter infos: Renewal infos, each repeated by all validations until the next. Validations occur at
  ///   the end of each row, at each info, and at `validated`.
  static func make(
    _ rows: [Transaction], id: String = "1", infos: [RenewalObservation] = [],
    validated: Instant? = day(10_000), users: Set<AppUserID> = [], environment: StoreEnvironment = .production
  ) -> Chain {
    var chain = Chain(
      environment: environment, originalTransactionID: OriginalTransactionID(id),
      transactions: rows.map { row in
        var row = row
        row.originalTransactionID = OriginalTransactionID(id)
        return row
      }, renewals: infos, users: users, validatedAt: validated)
    guard let validated else { return chain }
    let ends = rows.compactMap(\.expiresDate).filter { $0 <= validated }
    chain.validations = Set(ends + infos.map(\.observedAt) + [validated]).sorted()
    guard let first = infos.map(\.observedAt).min() else { return chain }
    chain.renewalValidations = chain.validations.filter { $0 >= first }
    for place in chain.renewals.indices where chain.renewals[place].observedAt > first {
      let from = chain.renewals[place].observedAt
      let last = chain.renewalValidations.last { $0 < from }
      chain.renewals[place].observedAfter = chain.renewals[place].observedAfter ?? last
    }
    chain.renewalsConfirmedAt = max(validated, infos.map(\.observedAt).max() ?? validated)
    return chain
  }

  func line(catalog: Catalog = .usual) throws -> Line {
    let lines = lines(catalog: catalog)
    #expect(lines.count == 1)
    return try #require(lines.first)
  }
}

extension EvidenceLedger {
  static func make(_ chains: [Chain], catalog: Catalog = .usual) -> EvidenceLedger {
    EvidenceLedger(chains, receipts: chains.count, catalog: catalog)
  }

  func figures(
    _ panel: Panel, at t: Instant, days: Int = 28, products: Set<ProductID> = [],
    environment: EnvironmentScope = .production
  ) -> FigureValues {
    report(Question(panel: panel, at: t, windowDays: days, environment: environment, products: products)).data
  }
}

func monthly(
  _ id: String, _ from: Int, _ to: Int, change: (inout Transaction) -> Void = { _ in }
) -> Transaction {
  .make(id, purchase: day(from), expires: day(to), change: change)
}

func row(
  _ product: String, _ id: String, _ from: Int, _ to: Int, change: (inout Transaction) -> Void = { _ in }
) -> Transaction {
  .make(id, product: product, purchase: day(from), expires: day(to), change: change)
}

func trial(_ id: String, _ from: Int, _ to: Int) -> Transaction {
  monthly(id, from, to) { $0.isTrialPeriod = true }
}

func refunded(_ row: Transaction, at date: Instant, reason: String? = "0") -> Transaction {
  var row = row
  row.cancellationDate = date
  row.cancellationReason = reason
  return row
}

func upgraded(_ row: Transaction, confirmed date: Instant? = nil) -> Transaction {
  var row = row
  row.isUpgraded = true
  row.cancellationDate = date
  row.cancellationReason = date.map { _ in "0" }
  return row
}

func shared(_ row: Transaction) -> Transaction {
  var row = row
  row.inAppOwnershipType = .familyShared
  return row
}

/// Chain with at most one renewal info, observed long ago by default.
func chain(
  _ id: String, _ rows: Transaction..., info: RenewalInfo? = nil, seen: Instant = day(-500),
  validated: Instant? = day(10_000), users: [String] = [], environment: StoreEnvironment = .production
) -> Chain {
  Chain.make(
    rows, id: id, infos: info.map { [RenewalObservation(info: $0, observedAt: seen)] } ?? [],
    validated: validated,
    users: Set(users.map(AppUserID.init)), environment: environment)
}
