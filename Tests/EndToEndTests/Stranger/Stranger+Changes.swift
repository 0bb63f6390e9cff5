extension Stranger.Scope {
  var churn: [String: JSON] {
    let lost = lines(in: "expired", "revoked").filter { $0.accessEnd.map(question.holds) ?? false }
    let paid = lost.filter { $0.lost?.isTrial == false }
    let expired = lost.filter { $0.state == "expired" }
    let refunded = lost.filter { $0.state == "revoked" }
    let started = lines.filter {
      $0.wasActivePaid(at: question.from)
        && question.asks(for: $0.current(at: question.from)?.row.product ?? "")
    }
    let lostOfStarted = paid.count { lost in
      started.contains {
        $0.chain.id == lost.chain.id && $0.group == lost.group && $0.chain.isSandbox == lost.chain.isSandbox
      }
    }
    func withIntent(_ intent: String) -> Int {
      paid.count { $0.state == "expired" && $0.intent == intent }
    }
    return [
      "by_intent": byIntent(expired),
      "refunded": .object([
        "paid": .count(refunded.count { $0.lost?.isTrial == false }),
        "trial": .count(refunded.count { $0.lost?.isTrial == true }),
      ]),
      "lost_paid": .count(paid.count), "lost_trial": .count(lost.count - paid.count),
      "voluntary": .count(withIntent("1")), "involuntary": .count(withIntent("2")),
      "active_paid_at_start": .count(started.count), "churn_rate": .share(lostOfStarted, of: started.count),
      "renewals": renewals, "trials": trials, "arrivals": arrivals,
    ]
  }

  private func byIntent(_ expired: [Stranger.Line]) -> JSON {
    let names = [
      "1": "customer cancelled", "2": "billing error", "3": "price increase not consented",
      "4": "product not available", "5": "other",
    ]
    let intents: [String?] = ["1", "2", "3", "4", "5", nil]
    return .list(
      intents.map { intent in
        let lines = expired.filter { ($0.intent.flatMap { names[$0] == nil ? nil : $0 }) == intent }
        return .object([
          "intent": .known(intent), "name": .text(intent.flatMap { names[$0] } ?? "unknown"),
          "paid": .count(lines.count { $0.lost?.isTrial == false }),
          "trial": .count(lines.count { $0.lost?.isTrial == true }),
        ])
      })
  }

  private var renewals: JSON {
    let due = rows {
      !$0.isTrial && question.holds($0.end) && $0.row.cancelled == nil && !$0.row.isUpgraded
    }
    let byPeriod = Dictionary(grouping: due) {
      prices.period(of: $0.period.row.product, at: $0.period.row.start)
    }
    return .list(
      byPeriod.map { period, due in
        let outcomes = due.map { $0.line.outcome(of: $0.period) }
        return .object([
          "period": .known(period), "due": .count(due.count),
          "renewed": .count(outcomes.count { $0 == "renewed" }),
          "pending": .count(outcomes.count { $0 == "pending" }),
          "lost": .count(outcomes.count { $0 == "lost" }),
        ])
      })
  }

  private var trials: JSON {
    let delays = rows { $0.isTrial && question.holds($0.effectiveEnd) }.map {
      $0.line.conversionDelay(of: $0.period) ?? .max
    }
    return .object([
      "ended": .count(delays.count), "converted": .count(delays.count { $0 <= Stranger.day }),
      "converted_late": .count(delays.count { $0 > Stranger.day && $0 <= 60 * Stranger.day }),
    ])
  }

  private var arrivals: JSON {
    let bought = boughtRows.map(\.period.arrival)
    return .object(
      Dictionary(
        uniqueKeysWithValues: ["initial", "renewal", "recovery", "unattributed", "reactivation"].map { name in
          (name, .count(bought.count { $0 == name }))
        }))
  }

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
    let pending = lines(in: "trial", "active", "grace", "billing_retry").count { $0.isChangePending }
    return [
      "immediate": counts(directions, ["upgrade", "crossgrade", "unranked"]),
      "at_renewal": counts(changes, ["downgrade", "crossgrade", "unranked"]),
      "prorated_refund": amounts(
        dated.compactMap { row in
          row.period.price.flatMap { price in row.period.proratedRefund.map { (price.currency, $0) } }
        }),
      "unpriced": .count(dated.count { $0.period.price == nil }),
      "undated": .count(upgraded.count - dated.count), "pending": .count(pending),
      "confirmed": .count(dated.count { $0.period.row.cancelled != nil }),
      "estimated": .count(dated.count { $0.period.row.cancelled == nil }),
      "rows": .list(dated.map { upgradeRow($0.line, $0.period) }),
    ]
  }

  private func direction(of period: Stranger.Period) -> String {
    prices.direction(from: period.row.product, to: period.successor?.product, whereFartherIs: "upgrade")
  }

  private func upgradeRow(_ line: Stranger.Line, _ period: Stranger.Period) -> JSON {
    .object([
      "original_transaction_id": .text(line.chain.id), "transaction_id": .text(period.id),
      "from_product_id": .text(period.row.product), "to_product_id": .known(period.successor?.product),
      "kind": .text(direction(of: period)), "upgraded_at_ms": .known(period.upgradedAt),
      "price_micros": .known(period.price?.micros), "currency": .known(period.price?.currency),
      "prorated_refund_micros": .known(period.proratedRefund),
      "confirmed": .flag(period.row.cancelled != nil),
    ])
  }
}
