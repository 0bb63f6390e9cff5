import Screen
import Subscriptions

struct OverviewTiles {
  let figures: FigureValues
  let report: Report
  let wording: Wording

  private var trend: Trend { report.trend }

  var blocks: [Block] {
    [
      tile("MRR", revenue), tile("Subscribers", subscribers), tile("Trials", trials),
      tile("Churn \(report.windowText)", churn),
    ]
  }

  private func tile(_ title: String, _ tile: HeadlineTile) -> Block {
    Block(StyledText(title), .tile(tile), span: .tile, minimumColumns: 20)
  }

  private static func opens(_ figure: String) -> Opening { .rows(Breakdown(figure)) }

  private var revenue: HeadlineTile {
    let missing = figures["active_paid"] == 0 ? "none" : "unknown"
    var tile = HeadlineTile(value: StyledText(missing, .dim), large: missing, opening: Self.opens("mrr"))
    // The sentence above speaks of the same amounts.
    guard !figures[amounts: "mrr"].isEmpty, let change = figures.revenueChange else { return tile }
    let isWhole = change.currency == figures[amounts: "mrr"].reporting
    let amount = Money(micros: change.endMicros, currency: change.currency)
    let text = isWhole ? MoneyText.converted(figures[amounts: "mrr"]) : nil
    tile.value = StyledText(text ?? MoneyText.of(amount), Style(.money, .bold))
    tile.large = Self.units(of: amount)
    let ends = (change.startMicros, change.endMicros)
    func course(_ currency: CurrencyCode?) -> Course? {
      trend.state("mrr", currency, rise: .good, ends: ends, in: wording.glyphs)
    }
    tile.course = (isWhole ? course(nil) : nil) ?? course(change.currency)
    if let sandbox = report.scope.environment.sandboxRemark {
      tile.notes = [StyledText(sandbox, .warn), StyledText("sandbox too", .warn)]
    } else if let lines = change.linesOf(figures) {
      tile.notes = [StyledText(lines, .dim)]
    }
    return tile
  }

  private static func units(of money: Money) -> String { CountText.of(money.micros / 1_000_000) }

  private var subscribers: HeadlineTile {
    let count = CountText.of(figures["active_paid"])
    return HeadlineTile(
      value: StyledText(count, Style(.good, .bold)), large: count,
      course: trend.state(
        "active_paid", rise: .good, ends: figures.movement?["subscribers"]?.values(), in: wording.glyphs),
      opening: Self.opens("active_paid"))
  }

  private var trials: HeadlineTile {
    let count = CountText.of(figures["trial"])
    return HeadlineTile(
      value: StyledText(count, .strong), large: count,
      course: trend.state("trial", rise: .good, in: wording.glyphs), opening: Self.opens("trial"))
  }

  /// Churn rate, its change in points since the window before, and the lines it counts.
  ///
  /// Lines lost from billing retry were not paying. Lists by product and the movement do not count them.
  private var churn: HeadlineTile {
    let rate = PercentText.of(figures[share: "churn_rate"])
    let all = "\(CountText.of(figures["lost_paid"])) lost"
    let paying = figures.movement?["subscribers"]?[Flow.lost.rawValue] ?? Int64(figures["lost_paid"])
    let (count, others) = (CountText.of(paying), CountText.of(Int64(figures["lost_paid"]) - paying))
    let lost =
      paying == figures["lost_paid"]
      ? [all] : ["\(all): \(count) paying, \(others) in retry", "\(all), \(count) paying"]
    return HeadlineTile(
      value: StyledText(
        rate, figures[share: "churn_rate"] == nil ? .dim : Style(.bad, .bold)),
      large: rate.filter { $0 != " " },
      notes: lost.map { StyledText($0, .dim) },
      course: trend.churn(figures[share: "churn_rate"], in: wording.glyphs), opening: Self.opens("churn_rate")
    )
  }
}
