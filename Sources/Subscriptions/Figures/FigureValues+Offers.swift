/// Uses of an offer with one kind and product, or the total of an offer over its kinds and products.
extension FigureValues {
  public var offerKind: PeriodKind { self[text: "kind"].flatMap { PeriodKind(rawValue: $0) } ?? .standard }

  /// Path prefix of the offer's figures, such as `by_product.com.example.pro.offers.promo.SPRING`.
  ///
  /// A total's prefix has no product, and the kind `all` if the total has several kinds.
  public var offerPath: String {
    let path = FactKind.OfferUse.path(offerKinds.count > 1 ? nil : offerKinds[0], self[text: "offer"])
    return products == nil ? "by_product.\(product).\(path)" : path
  }

  public var offerKinds: [PeriodKind] {
    let kinds = self[parts: "campaign"].map(\.offerKind)
    return kinds.isEmpty ? [offerKind] : Set(kinds).sorted { $0.rawValue < $1.rawValue }
  }

  public var products: Int? {
    let products = Set(self[parts: "campaign"].map(\.product)).count
    return products == 0 ? nil : products
  }

  public static func total(of campaign: [FigureValues]) -> FigureValues {
    var total = FigureValues()
    total[text: "offer"] = campaign.first?[text: "offer"]
    total[parts: "campaign"] = campaign
    for part in campaign {
      for name in ["started", "running", "converted", "lost", "unpriced", "started_before"] {
        total[name] += part[name]
      }
      for name in ["cost", "brought", "balance"] {
        total[amounts: name] = total[amounts: name] + part[amounts: name]
      }
    }
    return total
  }

  public var priced: Int { self["started"] - self["unpriced"] }

  /// Returns the numbers of uses behind a balance; `nil` for other figures, and if all uses are priced.
  public func uses(behind figure: FigurePath) -> OfferUses? {
    let counted = self[parts: "offers"].filter { offer in
      (figure.product ?? offer.product) == offer.product
        && [offer.offerKind, nil].contains {
          "\(FactKind.OfferUse.path($0, offer[text: "offer"])).balance" == figure.name
        }
    }
    let uses = counted.reduce(into: OfferUses()) { uses, offer in
      uses.priced += offer.priced
      uses.started += offer["started"]
    }
    return uses.priced < uses.started ? uses : nil
  }
}

/// Numbers of all uses of an offer (`started`) and of the priced uses; a balance includes only priced uses.
public struct OfferUses: Hashable, Sendable {
  public var priced = 0
  public var started = 0
}
