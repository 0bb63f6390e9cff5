/// Uses of one kind, offer and product.
extension FigureValues {
  public var offerKind: PeriodKind { self[text: "kind"].flatMap { PeriodKind(rawValue: $0) } ?? .standard }

  /// Path of its figures: `by_product.com.example.pro.offers.promo.SPRING`.
  public var offerPath: String {
    "by_product.\(product).\(FactKind.OfferUse.path(offerKind, self[text: "offer"]))"
  }

  public var priced: Int { self["started"] - self["unpriced"] }
}

/// Numbers of uses of an offer. A balance covers only those with known prices.
public struct OfferUses: Hashable, Sendable {
  public var priced = 0
  public var started = 0
}

extension FigureValues {
  /// Uses behind a balance; `nil` if the figure is not a balance, or all of them have prices.
  public func uses(behind figure: FigurePath) -> OfferUses? {
    let counted = self[parts: "offers"].filter {
      "\(FactKind.OfferUse.path($0.offerKind, $0[text: "offer"])).balance" == figure.name
        && (figure.product ?? $0.product) == $0.product
    }
    let uses = counted.reduce(into: OfferUses()) { uses, offer in
      uses.priced += offer.priced
      uses.started += offer["started"]
    }
    return uses.priced < uses.started ? uses : nil
  }
}
