/// Where the domain does not see what the index says, or sees more.
struct IndexDifference: Sendable {
  var missing: Set<String> = []
  var added: Set<String> = []
  let why: String
}

private let airlytics =
  "IBM__airlytics-backend/airlytics-kafka-consumer__src__test__resources__ios_consumer_test_data__"
private let dotNet = "alexalok__AppleReceiptVerifier.NET/AppleReceiptVerifier.NET.Tests__Responses__"

private let refunded = "the index looks at the greatest expiry alone, and that row was refunded"
private let inApp = "the index looks at latest_receipt_info alone, and in_app holds more"

private let endedEarly = IndexDifference(
  missing: ["ACTIVE at request"], added: ["EXPIRED at request"], why: refunded)

let indexDifferences: [String: IndexDifference] = [
  airlytics + "canceled_after_recovered.json": endedEarly,
  airlytics + "cancelled_after_trial.json": endedEarly,
  airlytics + "currently_trial2.json": endedEarly,
  airlytics + "expired_sub.json": endedEarly,
  airlytics + "non_renewable_expiration_date.json": endedEarly,
  airlytics + "trial_canceled.json": endedEarly,
  airlytics + "trial_before.json": IndexDifference(added: ["REFUND/REVOKE reason 0"], why: inApp),
  airlytics + "new_purchase_sub_event_bug_before.json": IndexDifference(
    missing: ["EXPIRED at request"], added: ["2 products", "ACTIVE at request"],
    why: "its publisher took the newest row from latest_receipt_info and left it in in_app"),
  dotNet + "Valid_Production_Excluding_Old_Subscriptions.json": IndexDifference(added: ["TRIAL"], why: inApp),
  dotNet + "Valid_Production_Null_Download_Id.json": IndexDifference(added: ["TRIAL"], why: inApp),
  dotNet + "Valid_Production_Family_Shared.json": IndexDifference(
    added: ["2 original_transaction_ids"], why: inApp),
  dotNet + "Valid_Sandbox_Consumable_And_Active_Subscription_Excluding_Old_Transactions.json":
    IndexDifference(
      added: [
        "1 without expires_date (consumable/non-consumable/non-renewing)", "2 original_transaction_ids",
        "2 products", "GAP in chain (max 4250771s)",
      ], why: inApp),
  "Omnimind-Ltd__app-store-server-sdk/test__json__verify_receipt.json": IndexDifference(
    added: [
      "1 without expires_date (consumable/non-consumable/non-renewing)", "2 original_transaction_ids",
      "2 products", "GAP in chain (max 41034s)",
    ], why: inApp),
  "_excerpts/idx4152077795.promotional-offer.json": IndexDifference(
    added: ["2 original_transaction_ids", "INTRO"], why: inApp),
  "_excerpts/idx8889185673.21006-billing-retry.json": IndexDifference(
    added: ["GAP in chain (max 2151s)"],
    why: "the index does not join the receipt that was sent with the newer one that came back"),
  "aporat__store-receipt-validator/tests__iTunes__fixtures__inAppPurchaseResponse.json": IndexDifference(
    added: [
      "2 without expires_date (consumable/non-consumable/non-renewing)", "3 original_transaction_ids",
    ], why: inApp),
  "imdhemy__appstore-iap/tests__fixtures__verify_receipt_response.json": IndexDifference(
    missing: ["PLAN CHANGE pending"], added: ["2 products", "GAP in chain (max 6296076s)"],
    why: "in_app holds more; and METRICS counts a change as pending only while auto-renew is on"),
  "gabrielgarza__monza/spec__response.json": IndexDifference(
    missing: ["INTRO", "PLAN CHANGE pending", "latest_receipt_info 3"], added: ["latest_receipt_info 2"],
    why: "one id three times, of which the first counts; and auto-renew is off, so that no change is pending"),
  "ladeiko__node-apple-receipt-verify/test__validate.js.L22.json": IndexDifference(
    added: ["TRIAL"], why: "the index does not read the receipt that was sent beside the newer one"),
  "Wizcorp__node-iap/README.md.L156.json": IndexDifference(
    missing: ["TRIAL"], why: "a library's own key names, of which only some are Apple's"),
  "nomad__venice/spec__fixtures__receipt_not_expired_cancelled.json": IndexDifference(
    missing: ["1 without expires_date (consumable/non-consumable/non-renewing)"],
    added: ["ACTIVE at request"],
    why: "its expires_date has no milliseconds beside the text, which is read then"),
]

/// Files that no reading makes an answer of.
let unreadableFiles: [String: String] = [
  "_excerpts/idx38837578876.stub-retry-and-grace.json": "made-up dates of 1970",
  "youknowone__itunes-iap/tests__conftest.py.L23.json": "a made-up date of 1974",
  "_excerpts/idx55277893894.stub-missing-expires-first.json": "a row without a transaction_id",
  "_excerpts/idx55277893894.stub-pending-matching.json": "a row without a transaction_id",
  "aporat__store-receipt-validator/tests__iTunes__ResponseTest.php.L77.json": "a map of three made-up shapes",
  "imdhemy__appstore-iap/tests__ValueObjects__ReceiptTest.php.L84.json": "a row without a purchase_date",
  "jnbt__candy_check/spec__app_store__subscription_verification_spec.rb.L38.json":
    "rows without a transaction_id",
  "jnbt__candy_check/spec__app_store__subscription_verification_spec.rb.L68.json":
    "rows without a transaction_id",
  "mattt__rack-in-app-purchase/README.md.L86.json": "a purchase_date in words, as Apple never wrote it",
  "youknowone__itunes-iap/tests__conftest.py.L705.json": "an expires_date of asterisks",
]
