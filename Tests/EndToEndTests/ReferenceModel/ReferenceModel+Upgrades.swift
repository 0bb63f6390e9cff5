extension ReferenceModel.Scope {
  var upgrades: [String: JSON] {
    let upgraded = rows { $0.row.isUpgraded && question.holds($0.upgradedAt ?? $0.row.start) }
    let dated = upgraded.filter { $0.period.upgradedAt != nil }
    let directions = dated.map { direction(of: $0.period) }
    let changes = boughtRows.compactMap { line, period in
      line.changedAtRenewal(period).map {
        prices.direction(from: $0.row.product, to: period.row.product, whereFartherIs: "downgrade")
      }
    }
    func counts(_ all: [String], _ names: [String]) -> JSON {
      .object(
        Dictionary(uniqueKeysWithValues: names.map { name in (name, .count(all.count { $0 == name })) }))
    }
    let pending = lines(in: "trial", "paid", "retry").count { $0.isChangePending }
    return [
      "immediate": counts(directions, ["upgrade", "crossgrade", "unranked"]),
      "at_renewal": counts(changes, ["downgrade", "crossgrade", "unranked"]),
      "prorated_refund": amounts(dated.map(\.period.proratedRefund)),
      "unpriced": .count(dated.count { $0.period.price == nil }),
      "undated": .count(upgraded.count - dated.count), "pending": .count(pending),
      "confirmed": .count(dated.count { $0.period.row.cancelled != nil }),
      "estimated": .count(dated.count { $0.period.row.cancelled == nil }),
      "rows": .list(dated.map { upgradeRow($0.line, $0.period) }),
    ]
  }

  private func direction(of period: ReferenceModel.Period) -> String {
    prices.direction(from: period.row.product, to: period.successor?.product, whereFartherIs: "upgrade")
  }

  private func upgradeRow(_ line: ReferenceModel.Line, _ period: ReferenceModel.Period) -> JSON {
    .object([
      "original_transaction_id": .text(line.chain.id), "transaction_id": .text(period.id),
      "from_product_id": .text(period.row.product), "to_product_id": .known(period.successor?.product),
      "kind": .text(direction(of: period)), "upgraded_at_ms": .known(period.upgradedAt),
      "price_micros": .known(period.price?.micros), "currency": .known(period.price?.currency),
      "prorated_refund_micros": .known(period.proratedRefund?.micros),
      "confirmed": .flag(period.row.cancelled != nil),
    ])
  }
}
