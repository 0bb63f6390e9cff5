import Subscriptions

extension HelpTopic {
  static let figures = HelpTopic("figures", "What figures mean, their names, and the rows behind them") {
    HelpBlock.text(
      """
      ## Rows behind a figure

      Each figure of a panel has a name: its path in the JSON of `subtop report`. It opens into the subscriptions and transactions that it
      counts, with Enter in the dashboard and with `--figure` on the command line; `--rows` gives those of all figures. Each row says
      why it is counted. Before a name may stand one product or, of what Apple told it of, one storefront: `by_product.com.example.pro.paid`,
      `by_storefront.DEU.mrr`, `sales.by_storefront.DEU.amount`.

          subtop report churn --figure by_intent.1.paid --format csv
          subtop report upgrades --figure prorated_refund
          subtop report cohorts --figure rows.2026-03.5.lost --offer code:FRIEND
          subtop report active --rows --format json
          subtop chain user-4821

      ## Words

      - A subscription is what the JSON calls a line: the transactions with one original transaction id, within one subscription group. All transactions with that id are a subscription history, which the JSON and the commands call a chain.
      - Grace is access that Apple grants while it tries to bill. Billing retry is not: there the customer has no access.
      - Not confirmed yet (`overdue`) is expired by its dates, and nobody has asked Apple since. What is not known is shown as unknown.
      - An upgrade is neither a refund nor churn. What Apple gives back for the unused part of the replaced period is the upgrade credit (`prorated_refund`): price x unused time / whole period.
      - A refund counts on the day on which it was issued.
      - Churn counts subscriptions that were lost, by Apple's expiration intent. The churn rate is a share of those that were paid, or in billing retry after a paid period, when the window began (`base_at_start`).
      - After a gap of up to 60 days a return is a recovery if an answer from within the gap or Apple's notification of the return showed billing trouble, and a return of which nobody knows how (`unattributed`) if nobody asked then.
      - Proceeds are the price less 30 %, or 15 % after a year of paid service in the group (without the days by which Apple extended a period), or in Apple's Small Business Program, which the configuration has to tell.
      - A cohort is all subscriptions that were paid for the first time in one month (UTC). They are kept after so many months if they are paid at the same day and time that many calendar months later, or on the last day of a shorter month. Where that moment has not come for all of the month, there is no rate.
      - Sandbox and family sharing are counted beside the figures, never inside. The sandbox shortens periods, so that its MRR needs the catalogue.
      - What has no price, neither one that Apple signed nor in the catalogue, is counted as without a price (`unpriced`) and adds no money.
      - Where a reporting_currency is configured, each amount is told in it as well, by the exchange rate of the day on which its row was bought: a subscription's monthly revenue changes with it when it renews, never in between. Of one that stays at its price that is what exchange rates did (`exchange_rates` of the movement in that currency): no subscription changed, so that no rows are behind it. What a renewal is expected to bring has the rate of the period before it. What has no rate is counted as unconverted and adds nothing.

      ## Movement

      `subtop report movement` tells how a window's start became its end: what was there, what came, what went. Every part adds up. With
      `--by week`, `month`, `product`, `storefront`, `kind` or `currency` its parts come as well (`by` in the JSON, instead of the whole
      in CSV), in which a subscription that goes from one part to another is in both: switched out and switched in (`to_other_product`,
      `from_other_product`), also where it brings more or less than before and expands or contracts the whole. Weeks begin on Monday and
      months on the first, UTC; the window cuts the first and the last. Parts open as figures do: `by_product.com.example.pro.subscribers.lost`,
      `by_week.2026-11-16.mrr.new`, `by_kind.trial.trials.converted`. `subscribers.lost` are those lost while they paid, by reason in
      `lost_by_reason`; `lost_paid` of the overview and churn counts those lost out of billing retry as well.

      The overview's first sentence names what moved monthly revenue most of all that went its way (`revenue_change.movers`); then, after
      "although" and as far as there is room, what moved more but against it.

      ## Changes and courses

      A change compares a window with the one before it, or a state with what it was at the window's start. The course is the
      same figure along the window, in up to 28 stretches (`trend` in the JSON, where an
      amount without a currency is all of it in the reporting currency). Both use everything that is known today. Grace, billing
      retry and losses are left blank for times at which nobody had asked. Due counts the subscriptions whose period or trial ends within the
      next day or week; with auto-renew on, they are expected to bring what Apple signed that the renewal costs, or else the
      standard price of the product that they renew as.

      With `--at`, figures and subscription histories are those of that moment, by what was known then. The dashboard's sweeps and
      what waits for them are of now all the same: what was due then is not kept.

      ## Names

      * stands for a value of Apple's, a period or a product; of cohorts for a month and the months after it.

      Of one storefront, by its code or as unknown: by_storefront.*.paid, trial, grace and mrr of active and overview;
      sales.by_storefront.*.transactions, amount and proceeds of overview.
      """)
      + Panel.allCases.filter { !$0.figureNames.isEmpty }.flatMap { panel -> [HelpBlock] in
        [.heading(panel.rawValue), .paragraph(panel.meanings.map(\.withWords).joined(separator: ", "))]
      }
  }
}

extension FigureMeaning {
  /// The name with what the screen calls it, and what else is to be said: `overdue (not confirmed yet)`.
  fileprivate var withWords: String {
    // An acronym stays as it is: MRR.
    let isAcronym = words.dropFirst().first?.isUppercase ?? false
    let name = isAcronym ? words : words.prefix(1).lowercased() + words.dropFirst()
    return "\(term) (\(name))\(note.map { " [\($0)]" } ?? "")"
  }
}
