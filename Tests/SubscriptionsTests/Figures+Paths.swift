import Subscriptions

enum FigureValue: Hashable {
  case count(Int)
  case amount(Amounts)
}

extension RecoveryFigures {
  var byPath: [String: FigureValue] {
    var paths: [String: FigureValue] = [:]
    func add(_ outcomes: Outcomes, _ prefix: String) {
      paths["\(prefix)entered"] = .count(outcomes.entered)
      paths["\(prefix)recovered"] = .count(outcomes.recovered)
      paths["\(prefix)still_retrying"] = .count(outcomes.stillRetrying)
      paths["\(prefix)lost"] = .count(outcomes.lost)
    }
    func add(_ curve: [Point], _ prefix: String) {
      for point in curve {
        paths["\(prefix).\(point.days).recovered"] = .count(point.recovered)
        paths["\(prefix).\(point.days).of"] = .count(point.of)
        paths["\(prefix).\(point.days).recovered_mrr"] = .amount(point.recoveredMrr)
        paths["\(prefix).\(point.days).of_mrr"] = .amount(point.ofMrr)
      }
    }
    var all = Outcomes()
    (all.entered, all.recovered, all.stillRetrying, all.lost) = (entered, recovered, stillRetrying, lost)
    add(all, "")
    (paths["mrr.entered"], paths["mrr.recovered"]) = (.amount(mrr.entered), .amount(mrr.recovered))
    (paths["mrr.still_retrying"], paths["mrr.lost"]) = (.amount(mrr.stillRetrying), .amount(mrr.lost))
    add(curve, "curve")
    add(curveBefore, "curve_before")
    for (name, part) in [("with_grace", withGrace), ("without_grace", withoutGrace)] {
      add(part.outcomes, "\(name).outcomes.")
      add(part.curve, "\(name).curve")
    }
    for part in byProduct { add(part.outcomes, "by_product.\(part.productId).") }
    for part in byMonth { add(part.outcomes, "by_month.\(part.month).") }
    for part in byWeek { add(part.outcomes, "by_week.\(part.week).") }
    for band in standing { paths["standing.\(band.fromDays)"] = .count(band.lines) }
    return paths
  }
}

extension OfferFigures {
  var byPath: [String: FigureValue] {
    var paths: [String: FigureValue] = [
      "price_increases.asked": .count(priceIncreases.asked),
      "price_increases.agreed": .count(priceIncreases.agreed),
      "price_increases.running": .count(priceIncreases.running),
      "price_increases.lapsed": .count(priceIncreases.lapsed),
      "price_increases.pending": .count(priceIncreases.pending),
      "price_increases.lost": .count(priceIncreases.lost),
      "opt_outs.turned_off": .count(optOuts.turnedOff),
      "opt_outs.turned_on_again": .count(optOuts.turnedOnAgain),
      "opt_outs.lapsed": .count(optOuts.lapsed), "opt_outs.running": .count(optOuts.running),
      "opt_outs.at_stake": .count(optOuts.atStake), "opt_outs.at_stake_mrr": .amount(optOuts.atStakeMrr),
    ]
    for offer in offers {
      for (name, count) in [
        ("started", offer.started), ("running", offer.running), ("converted", offer.converted),
        ("renewed", offer.renewed), ("lost", offer.lost), ("unpriced", offer.unpriced),
      ] {
        paths["\(offer.path).\(name)"] = .count(count)
      }
      paths["\(offer.path).cost"] = .amount(offer.cost)
      paths["\(offer.path).brought"] = .amount(offer.brought)
      paths["\(offer.path).balance"] = .amount(offer.balance)
    }
    return paths
  }
}

extension Figures {
  var recovery: RecoveryFigures? { if case .recovery(let figures) = self { figures } else { nil } }
  var offers: OfferFigures? { if case .offers(let figures) = self { figures } else { nil } }

  var byPath: [String: FigureValue] { recovery?.byPath ?? offers?.byPath ?? [:] }
}
