extension ReferenceModel.Population {
  func differences() -> [String] { everyLine.flatMap(differences(of:)) }

  private func differences(of line: ReferenceModel.Line) -> [String] {
    let place = "chain \(line.chain.id) group \(line.group ?? "null") at \(line.instant)"
    let (position, introOffer) = (line.position, introOfferUse(line))
    let own: [String: JSON] = [
      "state": .known(position?.state), "rule": .known(position?.rule),
      "access_until_ms": .known(position?.accessEnd), "product_id": .known(position?.row.row.product),
      "auto_renew": line.renewal?.autoRenew.map(JSON.flag) ?? .null,
      "expiration_intent": .known(position?.reason), "change_pending": .flag(line.isChangePending),
      "price_consent_pending": .flag(line.isConsentPending),
      "intro_offer_eligible": .flag(introOffer == nil), "intro_offer_used_by": .known(introOffer?.id),
    ]
    return own.differences(from: line.printed, at: place)
      + line.periods.flatMap { derived($0).differences(from: $0.row.printed, at: "\(place) row \($0.id)") }
  }

  private func derived(_ period: ReferenceModel.Period) -> [String: JSON] {
    let own: [String: JSON] = [
      "effective_end_ms": .count(period.effectiveEnd), "price_micros": .known(period.price?.micros),
      "prorated_refund_micros": .known(period.proratedRefund?.micros),
      "upgraded_at_ms": .known(period.upgradedAt),
      "upgrade_confirmed": period.row.isUpgraded ? .flag(period.row.cancelled != nil) : .null,
      "arrival": .text(period.arrival), "refunded": .flag(period.refundedAt != nil && !period.row.isShared),
    ]
    if period.row.isShared { return own }
    let share = [
      "commission_percent": JSON.known(period.commission), "proceeds_micros": .known(period.proceeds?.micros),
    ]
    return own.merging(share) { $1 }
  }

  func differences(_ question: ReferenceModel.Question, _ panel: String, from report: JSON) -> [String] {
    let own = JSON.object(scope(question).data(panel)).figures()
    let theirs = (report["data"] ?? .null).figures().filter { path, _ in
      // Not defined in METRICS.
      !["newest_events", "by_storefront", "movement_by_product", "revenue_change", "lost_by_reason"]
        .contains(where: path.contains)
    }
    let known = Set(own.keys.map(\.lastName))
    let paths = Set(own.keys).union(
      theirs.keys.filter { known.contains($0.lastName) || $0.lastName.hasSuffix("_micros") })
    return paths.sorted().compactMap { path in
      let (left, right) = (own[path] ?? .count(0), theirs[path] ?? .count(0))
      return left == right ? nil : "report \(panel) \(question): \(path): \(right) instead of \(left)"
    }
  }
}

extension [String: JSON] {
  fileprivate func differences(from printed: JSON, at place: String) -> [String] {
    sorted { $0.key < $1.key }.compactMap { key, value in
      let theirs = printed[key]
      return theirs == value
        ? nil : "\(place): \(key): \(theirs.map(\.description) ?? "missing") instead of \(value)"
    }
  }
}

extension String {
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}

extension JSON {
  /// Values by path, in which list elements are identified by content instead of position.
  fileprivate func figures(at path: [String] = []) -> [String: JSON] {
    switch self {
    case .object(let members):
      members.filter { isNoSum || $0.key != "currency" }
        .reduce(into: [:]) { $0.merge($1.value.figures(at: path + [$1.key])) { $1 } }
    case .list(let elements):
      elements.reduce(into: [:]) { $0.merge($1.figures(at: path + [$1.identity])) { $1 } }
    default: [path.joined(separator: "/"): self]
    }
  }

  private var identity: String {
    isNoSum ? names.joined(separator: " ") : self["currency"]?.description ?? ""
  }

  private var isNoSum: Bool { self["currency"] == nil || !names.isEmpty }

  private var names: [String] {
    let offer = self["started"] == nil ? [] : ["kind", "offer"]
    return
      (offer + [
        "original_transaction_id", "transaction_id", "product_id", "intent", "period", "days", "month",
        "week",
        "months", "from_days",
      ])
      .compactMap { self[$0] }.map(\.description)
  }
}
