extension HelpTopic {
  static let adapty = HelpTopic("adapty", "Coming from Adapty: what to export, and what will differ") {
    HelpBlock.text(
      """
      ## What to export

      The table of events of the integration with Amazon S3 (Integrations, Amazon S3), by its manual export, from the first day on: each
      file has the events of its days alone, and whoever had none in them is missing. Before that turn "Exclude Historical Events"
      off, "Include events without profile" on, and every event on. The table of paywall visits has no transactions.

          subtop import ids events.csv
          subtop sweep

      \(exportsOfSeveralApps)

      The user is customer_user_id, or where the app set none Adapty's profile_id, until a row or a later export has one. Rows of Google
      Play, Stripe and other stores are left out.

      ## What will differ

      Active subscriptions:: By its documentation Adapty leaves out those with auto-renew off, and all that were refunded later, for
      the past too. Here whoever has paid is active until the expiry or the day of refund, with auto-renew off as a part of its own.
      MRR:: Adapty divides a weekly price by 0.23, which is nearly the factor here (30.4375 / 7); it multiplied by 4 once. Of what
      is refunded nothing is left there, here what was there until the day of refund.
      Prices:: Adapty takes a product's present price where Apple told none, so that its past changes with it; here each period has
      the price that Apple signed, or the catalogue's of its day.
      Currencies:: Adapty shows dollars. Here each currency stands by itself, and beside it the reporting_currency by the rate of
      the day of purchase.
      Grace, billing issue:: In both, access goes on in grace. What Adapty calls a billing issue begins after grace: here billing
      retry.
      Returns:: To Adapty any return of the same subscription is a renewal, even after months. Here: recovered out of billing retry,
      returned (nobody knows how) or resubscribed.
      Churn:: Adapty counts those that expired, by their day, and has no rate. Here billing errors count as lost when Apple stops
      trying, up to 60 days later, and the rate is of those paid or in billing retry at the window's start.
      Trial conversion:: Adapty's is by the day the trial started, and open for ever, so that past months rise. Here: of the trials
      that ended in the window, those paid within 24 hours; later ones apart.
      Refunds:: On the day of refund in both. Adapty counts an upgrade as a refund with the reason upgraded; here it is the upgrade
      credit, and no refund.
      Cohorts:: Adapty keeps who was refunded, and begins with the trial or the installation. Here they begin with the first
      payment, and a refund ends it.
      Days:: Those of the app's zone in Adapty's settings; here UTC.
      """)
  }
}
