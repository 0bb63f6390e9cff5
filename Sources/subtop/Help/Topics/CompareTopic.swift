extension HelpTopic {
  static let compare = HelpTopic(
    "compare", "Two windows, products, storefronts or environments beside each other"
  ) {
    HelpBlock.text(
      """
      `=` in a panel offers what it can be set beside, and `subtop report PANEL --compare` does the same: each figure here and there, the
      difference, and the change as a share of what it is compared with. What a rise means is told by its colour. Enter opens the rows of a
      figure, Tab those of the other side; Esc ends it.

      - before: the window before this one, of the same length.
      - year: the same days a year ago.
      - product:ID: one product; product:ID,ID two of them. In the dashboard P chooses the first.
      - storefront:CODE, storefront:CODE,CODE: as Apple writes them, DEU. Only figures of where subscriptions stand are told apart by storefront: those of active and movement.
      - environment:sandbox, environment:production, environment:all.

      Where no subscription had begun when a window began, nothing is known of it, and it is shown as unknown, not as 0; so are grace
      and billing retry at times at which nobody had asked Apple. Both sides are told by what is known today, or with `--at` by what was
      known then.

          subtop report churn --window 7d --compare before
          subtop report active --compare storefront:USA,DEU --format csv

      In the JSON, `compared` has the other side's `label`, `as_of_ms`, `window` and `data`, and `difference` a number, or a list of amounts,
      for each figure by its path. In the CSV, amounts are in micros, and a share's change is empty.
      """)
  }
}
