/// What a figure of a panel means, for who reads about it instead of opening it, beside its name in the panel's JSON.
public struct FigureMeaning: Hashable, Sendable {
  public let words: String
  /// As METRICS and the JSON call it; what is worked out from figures on the screen has the sum.
  public let term: String
  /// Where figures by one name count differently: what each of them counts.
  public let note: String?

  fileprivate init(_ words: String, _ term: String, note: String? = nil) {
    (self.words, self.term, self.note) = (words, term, note)
  }
}

extension Panel {
  /// Of every figure that opens into rows, and of what stands beside them on the screen.
  public var meanings: [FigureMeaning] {
    figures.map { figure in
      FigureMeaning(
        Self.ofEach[figure.path] ?? figure.words ?? figure.path, figure.path,
        note: (self == .movement ? Self.notesOfMovement[figure.path] : nil) ?? Self.notes[figure.path])
    } + (self == .offers ? Self.besideOffers : [])
  }

  /// Of the figures that share a name, by their paths.
  private static let notes: [String: String] = {
    let converted =
      "as a movement, subscriptions first paid in the window, however late; among trials that ended in it, those paid within 24 h"
    let resubscribed =
      "as a movement, subscriptions paid again after they had ended; among periods bought, all that began after an end, a trial's and a first paid one too"
    return [
      "subscribers.converted": converted, "trials.converted": converted,
      "subscribers.resubscribed": resubscribed, "arrivals.reactivation": resubscribed,
    ]
  }()

  private static let notesOfMovement = [
    "trials.converted":
      "straight from a trial; subscribers converted are also those first paid later, after billing retry or an end"
  ]

  /// Of figures of which there is one for each value of Apple's or the catalogue's.
  private static let ofEach: [String: String] = [
    "by_intent.*.paid": "Lost paid, by Apple's reason", "by_intent.*.trial": "Lost trials, by Apple's reason",
    "renewals.*.due": "Periods that came due, by length", "renewals.*.renewed": "Of these renewed",
    "renewals.*.recovered": "Of these recovered", "renewals.*.pending": "Of these pending",
    "renewals.*.lost": "Of these lost",
    "due.1.lines": "Due in a day", "due.1.renewing": "Due in a day with auto-renew on",
    "due.1.unpriced": "Due in a day without a price",
    "due.7.lines": "Due in a week", "due.7.renewing": "Due in a week with auto-renew on",
    "due.7.unpriced": "Due in a week without a price",
    "rows.*.*": "Still paid after so many months", "rows.*.*.of": "All for whom that time has come",
    "rows.*.*.lost": "Of these not paid any more",
    "by_month.*.entered": "Came to billing retry, by month", "by_month.*.recovered": "Of these paid again",
    "by_month.*.still_retrying": "Of these still in billing retry", "by_month.*.lost": "Of these lost",
    "by_week.*.entered": "Came to billing retry, by week from Monday",
    "by_week.*.recovered": "Of these paid again",
    "by_week.*.still_retrying": "Of these still in billing retry", "by_week.*.lost": "Of these lost",
    "offers.*.started": "Started: bought in the window, by offer",
    "offers.*.running": "Running: still in the offer's period",
    "offers.*.converted": "Converted: went on at the standard price",
    "offers.*.renewed": "Again: went on at an offer",
    "offers.*.lost": "Lost: ended, and nothing paid came next",
    "offers.*.cost": "Cost: standard price less the offer's",
    "offers.*.brought": "Brought: the price of all bought later",
    "offers.*.balance":
      "Balance: brought less cost, where both are known (31 of 108: of so many)",
    "offers.*.unpriced": "Not in the balance: a price is not known",
  ].merging(
    [
      ("curve", ""), ("curve_before", ", the window before"), ("with_grace.curve", ", with grace first"),
      ("without_grace.curve", ", without grace"),
    ].flatMap { curve, which in
      [
        ("\(curve).*.recovered", "Paid again within so many days\(which)"),
        ("\(curve).*.of", "Of all that came so long before\(which)"),
      ]
    }, uniquingKeysWith: { $1 })

  private static let besideOffers = [
    FigureMeaning("Rate: converted, of those converted or lost", "converted / (converted + lost)"),
    FigureMeaning("Left: until the period ends without an answer", "pending.*.expires_ms"),
    FigureMeaning("MRR at stake: of what ends within 7 days", "opt_outs.at_stake_mrr"),
  ]
}
