/// Values of a report by path in the JSON, in order; each element of a list is a `FigureValues` of its own.
public struct FigureValues: Hashable, Sendable, Encodable {
  public enum Content: Hashable, Sendable {
    case count(Int)
    /// Share from 0 to 1; `nil` if unknown.
    case share(Double?)
    case amounts(Amounts)
    /// Identifying text of an element, such as a product id; `nil` if unknown.
    case text(String?)
    case parts([FigureValues])
    case upgrades([UpgradeEntry])
    case unpaid([UnpaidEntry])
    case consents([PendingConsent])
    case events([LineEvent])
    case movement(LedgerFigures)
    /// Amounts of several figures in each currency.
    case group(EvaluatedGroup)
    case revenueChange(RevenueChange?)
  }

  public private(set) var paths: [String] = []
  private var values: [String: Content] = [:]
  private var whole: LedgerFigures?

  public init() {}

  init(of whole: LedgerFigures) { self.whole = whole }

  public subscript(value path: String) -> Content? {
    get { values[path] }
    set {
      if values.updateValue(newValue ?? .share(nil), forKey: path) == nil { paths.append(path) }
      guard newValue == nil else { return }
      values[path] = nil
      paths.removeAll { $0 == path }
    }
  }

  public subscript(path: String) -> Int {
    get { if case .count(let count)? = values[path] { count } else { 0 } }
    set { self[value: path] = .count(newValue) }
  }

  public subscript(share path: String) -> Double? {
    get { if case .share(let share)? = values[path] { share } else { nil } }
    set { self[value: path] = .share(newValue) }
  }

  public subscript(amounts path: String) -> Amounts {
    get { if case .amounts(let amounts)? = values[path] { amounts } else { Amounts() } }
    set { self[value: path] = .amounts(newValue) }
  }

  public subscript(text path: String) -> String? {
    get { if case .text(let text)? = values[path] { text } else { nil } }
    set { self[value: path] = .text(newValue) }
  }

  public subscript(parts path: String) -> [FigureValues] {
    get { if case .parts(let parts)? = values[path] { parts } else { [] } }
    set { self[value: path] = .parts(newValue) }
  }

  public func encode(to encoder: any Encoder) throws {
    var objects = ["": encoder.container(keyedBy: NameKey.self)]
    for path in paths {
      let (object, name) = Self.split(path)
      if objects[object] == nil { Self.open(object, &objects) }
      guard var container = objects[object] else { continue }
      try values[path]?.encode(NameKey(name), in: &container)
    }
  }

  private static func split(_ path: String) -> (object: String, name: String) {
    guard let dot = path.lastIndex(of: ".") else { return ("", path) }
    return (String(path[..<dot]), String(path[path.index(after: dot)...]))
  }

  private static func open(_ path: String, _ objects: inout [String: KeyedEncodingContainer<NameKey>]) {
    let (outer, name) = split(path)
    if objects[outer] == nil { open(outer, &objects) }
    objects[path] = objects[outer]?.nestedContainer(keyedBy: NameKey.self, forKey: NameKey(name))
  }

  /// Active lines with unknown auto-renew, and all active lines; `nil` if the panel has no such figures.
  var autoRenew: (unknown: Int, all: Int)? {
    let unknown = "auto_renew_unknown"
    guard self[value: unknown] != nil else { return nil }
    return (self[unknown], self["renewing"] + self["auto_renew_off"] + self[unknown])
  }
}

extension FigureValues {
  public var upgrades: [UpgradeEntry] {
    get { if case .upgrades(let rows)? = values["rows"] { rows } else { [] } }
    set { self[value: "rows"] = .upgrades(newValue) }
  }

  public var unpaid: [UnpaidEntry] {
    get { if case .unpaid(let rows)? = values["rows"] { rows } else { [] } }
    set { self[value: "rows"] = .unpaid(newValue) }
  }

  public var consents: [PendingConsent] {
    get { if case .consents(let rows)? = values["pending"] { rows } else { [] } }
    set { self[value: "pending"] = .consents(newValue) }
  }

  public var events: [LineEvent] {
    get { if case .events(let rows)? = values["rows"] { rows } else { [] } }
    set { self[value: "rows"] = .events(newValue) }
  }

  public var newestEvents: [LineEvent] {
    get { if case .events(let rows)? = values["newest_events"] { rows } else { [] } }
    set { self[value: "newest_events"] = .events(newValue) }
  }

  /// Maximum number of events in an overview, because more would not fit on a screen.
  public static let eventLimit = 50

  public var revenueChange: RevenueChange? {
    get { if case .revenueChange(let change)? = values["revenue_change"] { change } else { nil } }
    set { self[value: "revenue_change"] = .revenueChange(newValue) }
  }

  /// Movement of an overview, or a movement report's own values; `nil` if there is none.
  public var movement: LedgerFigures? {
    if case .movement(let movement)? = values["movement"] { movement } else { whole }
  }

  public var product: ProductID { ProductID(self[text: "product_id"] ?? "") }
  public var storefront: StorefrontCode? { self[text: "storefront"].map { StorefrontCode($0) } }

  public init(product: ProductID) {
    self.init()
    self[text: "product_id"] = product.rawValue
  }

  /// Text that identifies an element in paths: `1`, `P1M`, `unknown`, or `promo.SPRING.pro` for an offer.
  var identity: String? {
    let names = Self.identities.compactMap { name -> String? in
      switch values[name] {
      case .text(let text)?: text ?? "unknown"
      case .count(let count)?: String(count)
      default: nil
      }
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  var withoutIdentity: FigureValues {
    var values = self
    for name in Self.identities + ["to_days"] where self.values[name] != nil { values[value: name] = nil }
    return values
  }

  private static let identities = [
    "kind", "offer", "product_id", "intent", "period", "storefront", "month", "months", "days", "from_days",
  ]
}

extension FigureValues.Content {
  fileprivate func encode(_ key: NameKey, in container: inout KeyedEncodingContainer<NameKey>) throws {
    switch self {
    case .count(let count): try container.encode(count, forKey: key)
    case .share(let share): try container.encode(share, forKey: key)
    case .amounts(let amounts): try container.encode(amounts, forKey: key)
    case .text(let text): try container.encode(text, forKey: key)
    case .parts(let parts): try container.encode(parts, forKey: key)
    case .upgrades(let rows): try container.encode(rows, forKey: key)
    case .unpaid(let rows): try container.encode(rows, forKey: key)
    case .consents(let rows): try container.encode(rows, forKey: key)
    case .events(let rows): try container.encode(rows, forKey: key)
    case .movement(let movement): try container.encode(movement, forKey: key)
    case .group(let group): try container.encode(group, forKey: key)
    case .revenueChange(let change): try container.encode(change, forKey: key)
    }
  }
}
