/// METRICS §4: active paid subscribers with their parts, trials apart.
public struct ActiveFigures: Hashable, Sendable, Encodable {
  public struct ByKind: Hashable, Sendable, Encodable {
    public var standard = 0
    public var intro = 0
    public var promo = 0
    public var code = 0
    public init() {}
  }

  public struct ByProduct: Hashable, Sendable, Encodable {
    public var productId: ProductID
    public var paid = 0
    public var trial = 0
    public var grace = 0
    public var mrr = Amounts()
    public init(productId: ProductID) { self.productId = productId }
  }

  /// Lines in `active` and `grace`.
  public var paid = 0
  public var trial = 0
  public var byKind = ByKind()
  /// These three speak of state `active` alone.
  public var renewing = 0
  public var autoRenewOff = 0
  public var autoRenewUnknown = 0
  public var grace = 0
  public var overdue = 0
  /// Monthly recurring revenue of the paid lines, in micros for each currency.
  public var mrr = Amounts()
  /// What of it is of state `active` by what auto-renew says, and of `grace`.
  public var mrrParts = RevenueParts()
  /// Sorted by paid lines, most first, then by name.
  public var byProduct: [ByProduct] = []

  public struct RevenueParts: Hashable, Sendable, Encodable {
    public var renewing = Amounts()
    public var autoRenewOff = Amounts()
    public var autoRenewUnknown = Amounts()
    public var grace = Amounts()
    public init() {}

    /// Adds lines of state `active`.
    public mutating func add(_ monthly: Money, autoRenew: Bool?) {
      switch autoRenew {
      case true?: renewing.add(monthly)
      case false?: autoRenewOff.add(monthly)
      case nil: autoRenewUnknown.add(monthly)
      }
    }
  }

  public init() {}
}

extension ActiveFigures {
  init(_ judged: [JudgedLine], _ question: Question) {
    self.init()
    var products: [ProductID: ByProduct] = [:]
    for judged in judged where question.includes(judged.product) {
      var product = products[judged.product] ?? ByProduct(productId: judged.product)
      count(judged, product: &product)
      products[judged.product] = product
    }
    byProduct = Self.sorted(products.values.filter { $0.paid + $0.trial + $0.grace > 0 })
  }

  /// The order in which products are listed.
  public static func sorted(_ products: [ByProduct]) -> [ByProduct] {
    products.sorted { $0.paid == $1.paid ? $0.productId < $1.productId : $0.paid > $1.paid }
  }

  private mutating func count(_ judged: JudgedLine, product: inout ByProduct) {
    switch judged.state {
    case .trial:
      trial += 1
      product.trial += 1
    case .overdue: overdue += 1
    case .active:
      byKind.count(judged.verdict.current.kind)
      switch judged.verdict.autoRenew {
      case true?: renewing += 1
      case false?: autoRenewOff += 1
      case nil: autoRenewUnknown += 1
      }
    case .grace:
      grace += 1
      product.grace += 1
    case .billingRetry, .unattributed, .revoked, .expired: break
    }
    guard judged.isPaid else { return }
    paid += 1
    product.paid += 1
    if let monthly = judged.verdict.current.monthly {
      mrr.add(monthly)
      product.mrr.add(monthly)
      if judged.state == .grace {
        mrrParts.grace.add(monthly)
      } else {
        mrrParts.add(monthly, autoRenew: judged.verdict.autoRenew)
      }
    }
  }
}

extension ActiveFigures.ByKind {
  public mutating func count(_ kind: PeriodKind, by n: Int = 1) {
    switch kind {
    case .standard: standard += n
    case .intro: intro += n
    case .promo: promo += n
    case .code: code += n
    case .trial: break
    }
  }
}

extension Row {
  /// The row's price a month; nil where it is unpriced.
  public var monthly: Money? {
    price.map { Money(micros: $0.monthlyMicros, currency: $0.amount.currency) }
  }
}
