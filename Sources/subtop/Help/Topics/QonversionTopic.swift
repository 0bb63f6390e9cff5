extension HelpTopic {
  static let qonversion = HelpTopic(
    "qonversion", "Coming from Qonversion: what to export, and what will differ"
  ) {
    HelpBlock.text(
      """
      ## What to export

      Purchases or events as CSV, from the first day on, by Qonversion's export (POST /v4/exports of its API). Qonversion publishes no
      list of the columns; those are found that are called as the fields of its webhooks: original_transaction_id or transaction_id, also
      behind "transaction."; identity_id, custom_user_id or user_id; store or platform; environment. Where a column has another name,
      rename it in the first line. Do not save the file in a spreadsheet, which rounds long ids.

          subtop import ids purchases.csv
          subtop sweep

      \(exportsOfSeveralApps)

      The user is identity_id, or custom_user_id, or Qonversion's own user_id (QON_ and more) until a row or a later export has one of
      the app's. A file with user_id alone is taken for the app's own but for ids that begin with QON_. Rows of Google Play and Stripe and
      events without a transaction are left out.

      ## What will differ

      MRR:: Qonversion counts only those with auto-renew on, and here all who have paid count until they expire: `subtop report
      active` has auto-renew off as a part of its own. A weekly price counts 4.35 times in both; for 3, 6 and 12 months Qonversion's
      factors are rounded (0.33, 0.166, 0.083).
      Grace:: In Qonversion's MRR only where it is configured there; here always, and also apart.
      Billing retry:: Outside MRR in both; here with what is at risk, and with who came back.
      Canceled:: Qonversion's event comes when auto-renew is turned off, or when Apple could not charge. Here the first is an
      opt-out, which may be taken back, and the second billing retry; lost counts when the subscription is over, by Apple's
      expiration intent.
      Upgrades:: Qonversion's event of an upgrade may carry the refunded value. Here the upgrade credit is neither a refund nor
      churn.
      Prices:: Here each period has the price that Apple signed, or the catalogue's; each currency stands by itself, and beside it
      the reporting_currency by the rate of the day of purchase.
      Trial conversion:: Of the trials that ended in the window, those paid within 24 hours; later ones apart. A figure by the day
      the trial started is another one.
      Days:: UTC here.
      """)
  }
}
