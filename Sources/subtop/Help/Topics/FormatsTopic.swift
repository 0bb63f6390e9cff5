import Intake

extension HelpTopic {
  static let formats = HelpTopic("formats", "The files that import reads") {
    HelpBlock.text(
      """
      Files are read line by line, whatever their size; - is standard input. A bad line imports nothing, and is named with file, line
      and reason (the first 20 are), unless `--skip-invalid` leaves it out. Importing the same thing twice changes nothing. How much
      a line and a field may hold: `subtop help limits`.

      ## receipts

      One of these, in base64; base64url and missing padding are read as well:

      - JSON Lines, of which only receipt-data has to be there
      - CSV with a header that has receipt and, if you like, app_user_id, bundle_id and store; rows of other stores are left out
      - a file that is one bare receipt

          {"receipt-data": "MIIT...", "app_user_id": "u-1", "bundle_id": "com.example"}

      A signed transaction in a receipt's place, as some exports have it, stands for its customer: the App Store Server API is asked
      by its id.

      ## ids

      Ids by which the App Store Server API finds a customer, for apps without receipts: CSV whose header has original_transaction_id or
      transaction_id (exports' original_store_transaction_id and store_transaction_id do as well, and "Original Transaction ID" is the
      same) and, if you like, a user and a bundle_id, with commas, semicolons or tabs between them; JSON Lines, also with Apple's
      originalTransactionId and transactionId; or one bare id a line. One id of a customer is enough. A header that names a column
      twice, in whatever spelling, is refused, and so is an export's column beside one of your own that means the same.

          {"original_transaction_id": "2000000123456789", "app_user_id": "u-1"}

      Exports of RevenueCat, Adapty and Qonversion are known by their headers; each has a page: `subtop help revenuecat`, `adapty` and
      `qonversion`. What such a product made of Apple's answers is no evidence here: of each row the id and the user are taken,
      and `subtop sweep` asks Apple for the rest, which needs a key (`subtop help secrets`). Dates, prices and figures are not read. Rows of
      other stores, by the column store or platform, and events about no purchase are left out and counted. Rows of the sandbox are taken and
      counted: Apple says which environment they are of. A customer has many rows, and those after the first are not new.
      Where several apps are configured, a column bundle_id or --bundle has to tell them apart. No field may hold a line break.
      Compressed files come through zcat, also several in a row.

      ## responses

      verifyReceipt answers that were kept elsewhere, as JSON Lines or one JSON value a file: each a bare answer, or an object
      around it. Where observed_at_ms is missing, the answer's own request date is taken, else the present.

          {"app_user_id": "u-1", "observed_at_ms": 1767225600000, "response": {...}}

      ## transactions

      Transactions and renewal infos as Apple signed them (JWS, as StoreKit 2 and the App Store Server API hand them out), one a
      line, bare or in an object. Each has to be signed by the App Store, at a time at which its certificates were valid; what Xcode
      signed is refused. The price and currency that Apple signed come before the catalogue's. `subtop chain ID --signed` prints
      them again as they came.

          {"app_user_id": "u-1", "signedTransactionInfo": "eyJ..."}

      ## notifications

      App Store Server Notifications as Apple posted them, both versions mixed if you like, as JSON Lines or one JSON value a file.

      Version 2 has to be signed by the App Store, and everything signed within it as well; where the configuration lists apps it has to be
      for one of them, with the app's apple_id where that is given. What it carries is kept like `import transactions` keeps it, and a
      notification with a UUID that is known changes nothing. The signedPayload of each, one a line, will do.

          {"signedPayload": "eyJ..."}

      Version 1 has to bring the shared secret as its password. What one says of its receipt is taken like an answer. The customer
      is asked about again at once, unless version 1 brought the whole news itself. `subtop listen` receives both.

      ## catalog

      Receipts carry no prices, so where Apple signed none these come from a CSV file with one dated price a line. Level 1 is the highest of its
      group. period is ISO 8601 (P1W, P1M, P1Y). offer is empty for the standard price, or trial, intro,
      promo:<promotional_offer_id> or code:<offer_code_ref_name>. valid_from is a day in UTC, or empty for always.

          \(CatalogFile.header.joined(separator: ","))
          com.example.pro.monthly,21000001,1,P1M,,9.99,USD,
          com.example.pro.monthly,21000001,1,P1M,,11.99,USD,2026-03-01
          com.example.pro.monthly,21000001,1,P1W,trial,0,USD,

      ## rates

      Exchange rates, by which every amount is told in the configured reporting_currency as well: each by the rate of the day (UTC) on
      which its row was bought, or the last one before it. A currency that its file leaves out (N/A) for more than a week has no rate
      after that. What has no rate is counted as unconverted. Either the history of the European Central Bank as it is
      (eurofxref-hist.csv, out of its zip), which serves any reporting currency in it; or one rate a line, in units of the currency for
      one unit of the reporting currency. Columns are found by their names. Rates of days that the store has already are corrected.

          date,currency,rate
          2026-01-02,TWD,36.81
          2026-01-02,AED,4.312
      """)
  }
}
