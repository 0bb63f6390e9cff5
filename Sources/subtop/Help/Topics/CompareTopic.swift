extension HelpTopic {
  static let compare = HelpTopic(
    "compare", "Two windows, products, storefronts, offers or cohorts beside each other"
  ) {
    HelpBlock.text(
      """
      `=` in a panel offers what it can be set beside, and `subtop report PANEL --compare` does the same: each figure here and there, the
      difference, and the change as a share of what it is compared with. What a rise means is told by its colour. Enter opens the rows of a
      figure, Tab those of the other side; Esc ends it.

      - before: the window before this one, of the same length.
      - year: the same days a year ago; of cohorts, which have no window, each beside the one that began a year before it, at the same age.
      - product:ID: one product; product:ID,ID two of them. In the dashboard P chooses the first.
      - storefront:CODE, storefront:CODE,CODE: as Apple writes them, DEU. Not told apart by storefront are refunds, upgrades, renewals, ended trials and what comes due: of overview and churn they are left out, and refunds and upgrades cannot be compared so.
      - offer:NAME, offer:NAME,NAME: of cohorts, those first paid by an offer: standard, intro, code:FRIEND.
      - cohort:MONTH: of cohorts, the one of a month beside all of them on average; cohort:MONTH,MONTH two of them: 2026-03.
      - environment:sandbox, environment:production, environment:all.

      Where no subscription had begun when a window began, nothing is known of it, and it is shown as unknown, not as 0; so are grace
      and billing retry at times at which nobody had asked Apple, and auto-renew where it is unknown of more than one active subscription
      in a hundred. Both sides are told by what is known today, or with `--at` by what was
      known then.

          subtop report churn --window 7d --compare before
          subtop report active --compare storefront:USA,DEU --format csv
          subtop report cohorts --compare year

      In the JSON, `compared` has the other side's `label`, `as_of_ms`, `window` and `data`, and `difference` a number, or a list of amounts,
      for each figure by its path; null is unknown. Of cohorts, `average.3.rate` is what all of them keep after 3 months. In the CSV, amounts are in micros, and the
      change of a share is empty, as is that of how many auto-renew is unknown of.
      """)
  }
}
