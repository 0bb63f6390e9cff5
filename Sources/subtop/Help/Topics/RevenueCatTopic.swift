extension HelpTopic {
  /// On the page of every hosted product.
  static let exportsOfSeveralApps =
    "Where several apps are configured, each needs a file of its own, with --bundle and the app's bundle id; for one nothing is needed."

  static let revenueCat = HelpTopic(
    "revenuecat", "Coming from RevenueCat: what to export, and what will differ"
  ) {
    HelpBlock.text(
      """
      ## What to export

      The transactions feed of Scheduled Data Exports (Integrations), as CSV to a bucket of yours. One whole delivery is enough: leave
      "Receive new and updated transactions only" off for it. Among the columns have to be store, original_store_transaction_id,
      rc_original_app_user_id and rc_last_seen_app_user_id_alias; is_sandbox is counted.

          zcat transactions_*.csv.gz | subtop import ids -
          subtop sweep

      \(exportsOfSeveralApps)

      Where RevenueCat's support hands you all receipts, as it may for those who leave, that file (app_user_id, receipt) is imported as
      receipts; signed transactions among them stand for their customers.

          subtop import receipts receipts.csv

      The user is the original app user id, or where RevenueCat made that up ($RCAnonymousID:) the alias seen last; one
      that it made up gives way to the app's own as soon as a row or a later export has it. Rows of Google Play,
      Stripe and other stores and promotional grants are left out, so that whoever has those alone is not here.

      ## What will differ

      MRR of weekly plans:: RevenueCat takes four weeks for a month; here a month has 30.4375 days, so a weekly price counts 4.35
      times: 8.7 % more. Months and years are the same.
      Prices:: RevenueCat takes the price that the app saw at the first purchase for renewals too where it has no better one; here
      each period has the price that Apple signed, or the catalogue's.
      Currencies:: RevenueCat shows dollars. Here each currency stands by itself, and beside it the reporting_currency by the rate
      of the day of purchase (`subtop help formats`, rates).
      Active subscriptions:: RevenueCat counts transactions that have not expired, so that one replaced by an upgrade may count
      beside its successor, and a free offer that is no trial counts as paid there. Here a subscription counts once.
      Grace:: It is active and in MRR in both; here it also stands apart.
      Billing retry:: RevenueCat has no figure for it: the subscription has expired. Here it is a state of its own, without access
      and outside MRR, with what is at risk.
      Churn:: RevenueCat subtracts those who came back from those who expired, so that its churn can be below 0. Here lost is lost,
      and recovered, returned and resubscribed stand apart. A billing error counts as lost when Apple stops trying, up to 60 days
      after the expiry; the base holds billing retry as well.
      Product changes:: In RevenueCat's newer charts they are churn and a new subscription; here neither, but expansion or
      contraction of MRR.
      Trial conversion:: RevenueCat's cohorts are by the day a trial started or a customer was first seen, and stay open. Here: of
      the trials that ended in the window, those paid within 24 hours; later ones apart.
      Refunds:: RevenueCat's older charts take them off revenue on the day of purchase, the newer ones on the day of refund. Here
      they count on the day of refund, and sales are not reduced. The refund rate is by day of purchase in both.
      Proceeds:: RevenueCat estimates taxes and takes them off. Here they are before tax, by Apple's commission alone.
      Days:: UTC in both.
      """)
  }
}
