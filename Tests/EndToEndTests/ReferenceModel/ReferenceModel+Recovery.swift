/// Outcomes of paid lines in billing retry (METRICS §5).
extension ReferenceModel.Scope {
  private struct Entry {
    var at: Int
    var product: String
    var monthly: ReferenceModel.Amount?
    var hadGrace: Bool
    /// First later instant at which the line is Paid.
    var paidAgain: Int?
    /// First later instant at which the line is not in Retry.
    var left: Int?

    func outcome(at t: Int) -> String {
      if let paidAgain, paidAgain <= t { return "recovered" }
      return left.map { $0 > t } ?? true ? "still_retrying" : "lost"
    }
  }

  var recovery: [String: JSON] {
    let all = entries
    let own = all.filter { question.holds($0.at) }
    let outcomes = Self.outcomes.map { name in (name, own.filter { isOf(name, $0) }) }
    let byProduct = Dictionary(grouping: own, by: \.product)
    let byMonth = Dictionary(grouping: own) { Self.month(of: $0.at) }
    let byWeek = Dictionary(grouping: question.days <= 92 ? own : []) { Self.monday(of: $0.at) }
    func part(_ hadGrace: Bool) -> JSON {
      .object([
        "outcomes": counts(own.filter { $0.hadGrace == hadGrace }),
        "curve": curve(all.filter { $0.hadGrace == hadGrace }, until: question.instant),
      ])
    }
    let more: [String: JSON] = [
      "mrr": .object(
        Dictionary(uniqueKeysWithValues: outcomes.map { ($0, amounts($1.map(\.monthly))) })),
      "curve": curve(all, until: question.instant), "curve_before": curve(all, until: question.from),
      "with_grace": part(true), "without_grace": part(false),
      "by_product": .list(
        byProduct.map { .object(["product_id": .text($0.key), "outcomes": counts($0.value)]) }),
      "by_month": .list(byMonth.map { .object(["month": .text($0.key), "outcomes": counts($0.value)]) }),
      "by_week": .list(byWeek.map { .object(["week": .text($0.key), "outcomes": counts($0.value)]) }),
      "standing": standing,
    ]
    return Dictionary(uniqueKeysWithValues: outcomes.map { ($0, JSON.count($1.count)) }).merging(more) { $1 }
  }

  private static let outcomes = ["entered", "recovered", "still_retrying", "lost"]

  private func isOf(_ outcome: String, _ entry: Entry) -> Bool {
    outcome == "entered" || entry.outcome(at: question.instant) == outcome
  }

  private func counts(_ entries: [Entry]) -> JSON {
    .object(
      Dictionary(
        uniqueKeysWithValues: Self.outcomes.map { name in
          (name, JSON.count(entries.count { isOf(name, $0) }))
        }))
  }

  private var entries: [Entry] {
    lines.flatMap { line in
      line.course.indices.compactMap { place -> Entry? in
        let (from, position) = line.course[place]
        let before = place > 0 ? line.course[place - 1].position : nil
        guard position.set == "retry", before?.set != "retry", !position.row.isTrial, isAsked(position) else {
          return nil
        }
        let later = line.course[place...]
        return Entry(
          at: from, product: position.row.row.product, monthly: position.row.monthly,
          hadGrace: before?.state == "grace", paidAgain: later.first { $0.position.set == "paid" }?.from,
          left: later.first { $0.position.set != "retry" }?.from)
      }
    }
  }

  private func curve(_ entries: [Entry], until end: Int) -> JSON {
    .list(
      [1, 3, 7, 14, 30, 60].map { days in
        let earlier = days * ReferenceModel.day
        let (from, to) = (end - question.days * ReferenceModel.day - earlier, end - earlier)
        let entered = entries.filter { from < $0.at && $0.at <= to }
        let back = entered.filter { entry in
          entry.paidAgain.map { $0 <= entry.at + earlier } ?? false
        }
        return .object([
          "days": .count(days), "recovered": .count(back.count), "of": .count(entered.count),
          "rate": .share(back.count, of: entered.count), "recovered_mrr": amounts(back.map(\.monthly)),
          "of_mrr": amounts(entered.map(\.monthly)),
        ])
      })
  }

  /// Lines in billing retry by its age, including trials.
  private var standing: JSON {
    let retrying = lines(in: "retry").map { line in
      let entered = line.course.lastIndex { $0.from <= question.instant && $0.position.set != "retry" }
      return (line: line, since: question.instant - line.course[(entered ?? -1) + 1].from)
    }
    return .list(
      [(0, 3), (3, 7), (7, 14), (14, 30), (30, 60)].map { from, to in
        let band = retrying.filter {
          from * ReferenceModel.day <= $0.since && $0.since < to * ReferenceModel.day
        }.map(\.line)
        return .object([
          "from_days": .count(from), "to_days": .count(to), "lines": .count(band.count),
          "mrr": monthly(of: band),
        ])
      })
  }

  /// Monday of the week, given that day 4 since 1970 was a Monday.
  private static func monday(of moment: Int) -> String {
    let day = moment >= 0 ? moment / ReferenceModel.day : (moment + 1) / ReferenceModel.day - 1
    let monday = day - ((day - 4) % 7 + 7) % 7
    let first = (0...30).last {
      month(of: (monday - $0) * ReferenceModel.day) == month(of: monday * ReferenceModel.day)
    }
    let number = (first ?? 0) + 1
    return "\(month(of: monday * ReferenceModel.day))-\(number < 10 ? "0" : "")\(number)"
  }
}
