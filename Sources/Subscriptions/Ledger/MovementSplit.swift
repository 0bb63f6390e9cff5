/// By what the parts of a movement are told apart.
public enum MovementSplit: String, Hashable, Sendable, CaseIterable {
  /// From Monday on, UTC.
  case week
  /// Of the calendar, UTC.
  case month
  case product, storefront, kind, currency

  /// Whether its parts follow each other; otherwise they stand beside each other, and lines go from one to another.
  public var isOfTime: Bool { self == .week || self == .month }

  /// What its values are called in JSON and CSV.
  public var key: String { self == .product ? "product_id" : rawValue }
}

/// One value of a split: what of a movement is asked about.
public enum MovementPart: Hashable, Sendable {
  /// By its Monday.
  case week(CivilDate)
  case month(CivilMonth)
  case product(ProductID)
  /// Nil is what nobody told a storefront of.
  case storefront(StorefrontCode?)
  case kind(PeriodKind)
  /// Nil is without a price.
  case currency(CurrencyCode?)

  public var split: MovementSplit {
    switch self {
    case .week: .week
    case .month: .month
    case .product: .product
    case .storefront: .storefront
    case .kind: .kind
    case .currency: .currency
    }
  }

  /// Nil is unknown.
  public var value: String? {
    switch self {
    case .week(let monday): Instant(startOf: monday).dateText
    case .month(let month): month.description
    case .product(let id): id.rawValue
    case .storefront(let storefront): storefront?.rawValue
    case .kind(let kind): kind.rawValue
    case .currency(let currency): currency?.rawValue
    }
  }

  /// What stands before a figure's path: `by_week.2026-11-16.subscribers.lost`.
  public func path(of figure: String) -> String {
    "by_\(split.rawValue).\(value ?? Self.unknown).\(figure)"
  }

  private static let unknown = "unknown"

  /// Nil where the split has no such value.
  init?(_ split: MovementSplit, named name: String) {
    let isUnknown = name.lowercased() == Self.unknown
    switch split {
    case .week:
      guard let day = Instant(parsing: name)?.civilDate, day.weekday == 1 else { return nil }
      self = .week(day)
    case .month:
      guard let month = CivilMonth(parsing: name) else { return nil }
      self = .month(month)
    case .product: self = .product(ProductID(name))
    case .storefront: self = .storefront(isUnknown ? nil : StorefrontCode(name.uppercased()))
    case .kind:
      guard let kind = PeriodKind(rawValue: name) else { return nil }
      self = .kind(kind)
    case .currency: self = .currency(isUnknown ? nil : CurrencyCode(name.uppercased()))
    }
  }
}
