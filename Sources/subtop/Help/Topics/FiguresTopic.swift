import Subscriptions

extension HelpTopic {
  static let figures = HelpTopic("figures", "What figures mean, their names, and the rows behind them") {
    HelpBlock.text(
      """
      ## Rows behind a figure

      Each figure of a panel has a name: its path in the JSON of `subtop report`. It opens into the lines and transactions that it
      counts, with Enter in the dashboard and with `--figure` on the command line; `--rows` gives those of all figures. Each row says
      why it is counted. Before a name may stand one product or, of what Apple told it of, one storefront: `by_product.com.example.pro.paid`,
      `by_storefront.DEU.mrr`, `sales.by_storefront.DEU.amount`.

          subtop report churn --figure by_intent.1.paid --format csv
          subtop report upgrades --figure prorated_refund
          subtop report active --rows --format json
          subtop chain user-4821

      ## Words

      - A line is one subscription: a chain of transactions with one original transaction id, within one subscription group.
      - Grace is access that Apple grants while it tries to bill. Billing retry is not: there the customer has no access.
      - Overdue is expired by its dates, and nobody has asked Apple since. What is not known is shown as unknown.
      - An upgrade is neither a refund nor churn. What Apple gives back for the unused part of the replaced period is its proration: price x unused time / whole period.
      - A refund counts on the day on which it was issued.
      - Churn counts lines that were lost, by Apple's expiration intent.
      - After a gap of up to 60 days a return is a recovery if an answer from within the gap showed billing trouble, and unattributed if nobody asked then.
      - Proceeds are the price less 30 %, or 15 % after a year of paid service in the group, or in Apple's Small Business Program, which the configuration has to tell.
      - Sandbox and family sharing are counted beside the figures, never inside.
      - What has no price, neither one that Apple signed nor in the catalogue, is counted as unpriced and adds no money.
      - Where a reporting_currency is configured, each amount is told in it as well, by the exchange rate of the day on which its row was bought: a line's monthly revenue changes with it when the line renews, never in between, and that is among what was repriced. What a renewal is expected to bring has the rate of the period before it. What has no rate is counted as unconverted and adds nothing.

      ## Changes and courses

      A change compares a window with the one before it, or a state with what it was at the window's start. The course is the
      same figure along the window, in up to 28 stretches (`trend` in the JSON, where an
      amount without a currency is all of it in the reporting currency). Both use everything that is known today. Grace, billing
      retry and losses are left blank for times at which nobody had asked. Due counts the lines whose period or trial ends within the
      next day or week; with auto-renew on, they are expected to bring what Apple signed that the renewal costs, or else the
      standard price of the product that they renew as.

      With `--at`, figures and chains are those of that moment, by what was known then.

      ## Names
      """)
      + [
        .paragraph("* stands for a value of Apple's, a period or a product."),
        .paragraph(
          "Of one storefront, by its code or as unknown: by_storefront.*.paid, trial, grace and mrr of active and overview; "
            + "sales.by_storefront.*.transactions, amount and proceeds of overview."),
      ]
      + Panel.allCases.filter { !$0.figureNames.isEmpty }.flatMap { panel -> [HelpBlock] in
        [.heading(panel.rawValue), .paragraph(panel.figureNames.joined(separator: ", "))]
      }
  }
}
