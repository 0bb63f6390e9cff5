-- Every table, index and view of the store, in order. `Schema` fills in the values in braces.
--
-- Evidence: data from Apple, and the receipts and customers that are queried.

-- Receipts and customers.
--
-- - `app_user_id` is '' if the app gave none, because NULL would not be unique.
-- - `user_is_provisional` is 1 if a subscription service made the user id, which the app may replace.
-- - Data sent to Apple is in separate tables, because it is large and the other columns change often.
-- - `receipt_contents` has the imported receipts. `latest_receipts` has newer ones from Apple, which are sent
--   instead.
-- - `customers` has data for the Server API: `customer_id`, imported or from signed data, and `revision`, the
--   point from which the history continues. A revision is valid only in `environment`.
-- - `has_contents` is 1 if there is any data to send.
-- - `gone_receipts` are receipts that Apple answered with 21010.
CREATE TABLE receipts (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  app_user_id TEXT NOT NULL DEFAULT '',
  user_is_provisional INTEGER NOT NULL DEFAULT 0,
  bundle_id TEXT,
  environment TEXT,
  imported_at_ms INTEGER NOT NULL,
  last_checked_at_ms INTEGER,
  last_validated_at_ms INTEGER,
  last_status INTEGER,
  answer_digest TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_failure TEXT,
  next_due_at_ms INTEGER,
  dead_reason TEXT,
  has_contents INTEGER NOT NULL DEFAULT 0,
  failing_since_ms INTEGER,
  same_failure_since_ms INTEGER,
  due_rule TEXT,
  full_answer_at_ms INTEGER,
  dead_at_ms INTEGER,
  UNIQUE (fingerprint, app_user_id)
) STRICT;
CREATE INDEX receipts_due ON receipts (next_due_at_ms) WHERE next_due_at_ms IS NOT NULL;
CREATE INDEX receipts_user ON receipts (app_user_id) WHERE app_user_id <> '';
CREATE INDEX receipts_dead ON receipts (dead_reason) WHERE dead_reason IS NOT NULL;
CREATE INDEX receipts_failing ON receipts (next_due_at_ms) WHERE failing_since_ms IS NOT NULL;
CREATE TABLE receipt_contents (
  receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
  receipt_data TEXT NOT NULL
) STRICT;
CREATE TABLE latest_receipts (
  receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
  receipt_data TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE customers (
  receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
  customer_id TEXT,
  revision TEXT,
  environment TEXT
) STRICT;
CREATE TABLE gone_receipts (
  receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
  gone_at_ms INTEGER NOT NULL
) STRICT;

-- Chains, and the receipts that hold them. `validations` is an encoded `ValidationLog`.
CREATE TABLE chains (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL,
  original_transaction_id TEXT NOT NULL,
  validated_at_ms INTEGER,
  renewals_observed_at_ms INTEGER,
  gone_at_ms INTEGER,
  answered_by INTEGER REFERENCES receipts (id),
  validations TEXT NOT NULL DEFAULT '',
  UNIQUE (original_transaction_id, environment)
) STRICT;
CREATE INDEX chains_validated ON chains (validated_at_ms);
CREATE INDEX chains_gone ON chains (gone_at_ms) WHERE gone_at_ms IS NOT NULL;
CREATE TABLE receipt_chains (
  receipt_id INTEGER NOT NULL REFERENCES receipts (id),
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  first_observed_at_ms INTEGER NOT NULL,
  PRIMARY KEY (receipt_id, chain_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_chains_chain ON receipt_chains (chain_id, receipt_id);

-- Transactions. A row of `transaction_rows` has the values of one transaction. It references a shape with the
-- values that many transactions share: Apple's fields, then values derived from the line and catalogue.
--
-- - `effective_end_ms` is NULL if it equals `expires_date_ms` and the row is not a trial.
-- - Derived columns declare no references, because checking each reference would be slow.
-- - `expires_date_ms` is the expiry of the purchase; `told_expires_date_ms` is the expiry that Apple reported
--   for this id, if different.
--
-- `transaction_sightings` has the intervals in which a transaction showed the same values (`StoredRun`), for
-- transactions that changed or that a partial answer showed. Partial answers (to `exclude-old-transactions`)
-- have their own intervals (`is_partial`), because they prove nothing about omitted transactions.
CREATE TABLE transaction_shapes (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL,
  product_id TEXT NOT NULL,
  subscription_group_identifier TEXT,
  quantity INTEGER NOT NULL,
  cancellation_reason TEXT,
  is_trial_period INTEGER NOT NULL,
  is_in_intro_offer_period INTEGER NOT NULL,
  is_upgraded INTEGER NOT NULL,
  in_app_ownership_type TEXT NOT NULL,
  promotional_offer_id TEXT,
  offer_code_ref_name TEXT,
  is_lagging INTEGER NOT NULL,
  is_signed INTEGER NOT NULL,
  kind TEXT,
  price_micros INTEGER,
  currency TEXT,
  monthly_micros INTEGER,
  refund_reason TEXT,
  upgraded INTEGER,
  upgrade_confirmed INTEGER,
  upgrade_direction TEXT,
  successor_product_id TEXT,
  outcome TEXT,
  period TEXT,
  change_direction TEXT,
  arrival TEXT,
  is_past_first_year INTEGER,
  changed_from_product_id TEXT,
  bundle_id TEXT,
  is_price_signed INTEGER,
  storefront TEXT
) STRICT;
CREATE INDEX transaction_shapes_lookup ON transaction_shapes ({transaction_shape_columns});
CREATE TABLE transaction_rows (
  id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  line_id INTEGER,
  shape_id INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  web_order_line_item_id TEXT,
  purchase_date_ms INTEGER NOT NULL,
  expires_date_ms INTEGER,
  effective_end_ms INTEGER,
  original_purchase_date_ms INTEGER,
  app_account_token TEXT,
  first_observed_at_ms INTEGER NOT NULL,
  observed_at_ms INTEGER NOT NULL,
  confirmed_at_ms INTEGER,
  cancellation_date_ms INTEGER,
  cancelled_at_ms INTEGER,
  refunded_at_ms INTEGER,
  upgraded_at_ms INTEGER,
  prorated_refund_micros INTEGER,
  duplicate_of INTEGER,
  partial_refund_micros INTEGER,
  told_expires_date_ms INTEGER
) STRICT;
CREATE INDEX transactions_chain ON transaction_rows (chain_id);
CREATE UNIQUE INDEX transactions_id ON transaction_rows (transaction_id, chain_id);
CREATE INDEX transactions_order ON transaction_rows (web_order_line_item_id)
  WHERE web_order_line_item_id IS NOT NULL;
CREATE INDEX transactions_account_token ON transaction_rows (app_account_token) WHERE app_account_token IS NOT NULL;
CREATE INDEX transactions_purchase ON transaction_rows (purchase_date_ms) WHERE line_id IS NOT NULL;
CREATE INDEX transactions_expires ON transaction_rows (expires_date_ms) WHERE line_id IS NOT NULL;
CREATE INDEX transactions_effective_end ON transaction_rows (effective_end_ms) WHERE effective_end_ms IS NOT NULL;
CREATE INDEX transactions_refunded ON transaction_rows (refunded_at_ms) WHERE refunded_at_ms IS NOT NULL;
CREATE INDEX transactions_upgraded ON transaction_rows (upgraded_at_ms) WHERE upgraded_at_ms IS NOT NULL;
CREATE INDEX transactions_cancelled ON transaction_rows (cancelled_at_ms)
  WHERE cancelled_at_ms IS NOT NULL AND expires_date_ms IS NULL;
CREATE TABLE transaction_sightings (
  transaction_id INTEGER NOT NULL REFERENCES transaction_rows (id),
  is_partial INTEGER NOT NULL,
  observed_at_ms INTEGER NOT NULL,
  through_ms INTEGER,
  expires_date_ms INTEGER,
  cancellation_date_ms INTEGER,
  cancellation_reason TEXT,
  is_upgraded INTEGER NOT NULL,
  is_lagging INTEGER NOT NULL,
  PRIMARY KEY (transaction_id, is_partial, observed_at_ms)
) STRICT, WITHOUT ROWID;

-- Signed data.
--
-- - `signed_terms` has the values of transactions that only signed data contains.
-- - `renewal_terms` has the values of renewals that only signed data contains. Newlines separate the win-back
--   offers.
-- - `signed_rows` has the newest signed data of each transaction, and of each chain's next renewal by
--   product. Header, payload and signature restore the original. `transaction_row` is 0 for a renewal;
--   `product_id` is '' for a transaction.
CREATE TABLE signed_terms (
  transaction_row INTEGER PRIMARY KEY REFERENCES transaction_rows (id),
  signed_at_ms INTEGER NOT NULL,
  price_micros INTEGER,
  currency TEXT,
  priced_at_ms INTEGER,
  storefront TEXT,
  transaction_reason TEXT,
  offer_period TEXT,
  win_back_offer_id TEXT,
  billing_plan_type TEXT,
  revocation_date_ms INTEGER,
  revocation_signed_at_ms INTEGER,
  revocation_type TEXT,
  revocation_percentage INTEGER,
  earlier_revocations TEXT,
  priced_since_ms INTEGER,
  app_transaction_id TEXT,
  commitment_signed_at_ms INTEGER,
  commitment_period_number INTEGER,
  commitment_total_periods INTEGER,
  commitment_expires_ms INTEGER,
  commitment_price_micros INTEGER,
  offer_type INTEGER,
  offer_discount_type TEXT
) STRICT;
CREATE INDEX signed_terms_signed ON signed_terms (signed_at_ms);
CREATE INDEX signed_terms_account ON signed_terms (app_transaction_id) WHERE app_transaction_id IS NOT NULL;
CREATE TABLE renewal_terms (
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  product_id TEXT NOT NULL,
  renewal_date_ms INTEGER NOT NULL,
  signed_at_ms INTEGER NOT NULL,
  price_micros INTEGER,
  currency TEXT,
  priced_at_ms INTEGER,
  recent_start_ms INTEGER,
  win_back_offer_ids TEXT,
  billing_plan_type TEXT,
  commitment_product_id TEXT,
  commitment_auto_renew INTEGER,
  commitment_billing_plan_type TEXT,
  commitment_renewal_ms INTEGER,
  commitment_price_micros INTEGER,
  has_commitment INTEGER NOT NULL,
  PRIMARY KEY (chain_id, product_id, renewal_date_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE signed_headers (
  id INTEGER PRIMARY KEY,
  header TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE signed_rows (
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  transaction_row INTEGER NOT NULL,
  product_id TEXT NOT NULL,
  signed_at_ms INTEGER NOT NULL,
  header_id INTEGER NOT NULL REFERENCES signed_headers (id),
  payload TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (chain_id, transaction_row, product_id)
) STRICT, WITHOUT ROWID;

-- Renewal infos: one row for each change, with the interval in which the change occurred.
CREATE TABLE renewal_infos (
  id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  observed_after_ms INTEGER,
  observed_at_ms INTEGER NOT NULL,
  original_transaction_id TEXT,
  product_id TEXT,
  auto_renew_product_id TEXT,
  auto_renew_status INTEGER,
  expiration_intent TEXT,
  is_in_billing_retry_period INTEGER,
  grace_period_expires_date_ms INTEGER,
  price_consent_status TEXT,
  price_increase_status TEXT,
  promotional_offer_id TEXT,
  offer_code_ref_name TEXT
) STRICT;
CREATE INDEX renewal_infos_chain ON renewal_infos (chain_id, observed_at_ms);
CREATE INDEX renewal_infos_grace ON renewal_infos (grace_period_expires_date_ms)
  WHERE grace_period_expires_date_ms IS NOT NULL;

-- Notifications, without the answers in them, and the progress of backfills.
--
-- - `digest` identifies repeated notifications. For version 2 it is the number that the `uuid` represents;
--   version 1 has no `uuid`.
-- - `chain_id` is NULL if a notification does not concern a chain.
-- - `inbox` has received bodies whose notifications have not been applied yet.
-- - `send_attempts` is JSON, in the format of the notification history.
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  chain_id INTEGER REFERENCES chains (id),
  type TEXT NOT NULL,
  transaction_id TEXT,
  product_id TEXT,
  auto_renew_product_id TEXT,
  auto_renew_status INTEGER,
  auto_renew_status_change_date_ms INTEGER,
  cancellation_date_ms INTEGER,
  observed_at_ms INTEGER NOT NULL,
  subtype TEXT,
  uuid TEXT,
  signed_at_ms INTEGER,
  environment TEXT NOT NULL,
  bundle_id TEXT,
  send_attempts TEXT
) STRICT;
CREATE INDEX notifications_chain ON notifications (chain_id, observed_at_ms);
CREATE INDEX notifications_uuid ON notifications (uuid) WHERE uuid IS NOT NULL;
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  uuid TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE backfills (
  bundle_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  only_failures INTEGER NOT NULL,
  from_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  PRIMARY KEY (bundle_id, environment, only_failures)
) STRICT, WITHOUT ROWID;

-- Dated prices. `valid_from_ms` is -9223372036854775808 if the price has no start, because NULL would not be
-- unique.
CREATE TABLE catalog (
  product_id TEXT NOT NULL,
  offer TEXT NOT NULL,
  valid_from_ms INTEGER NOT NULL,
  subscription_group_id TEXT,
  level INTEGER,
  period TEXT NOT NULL,
  price_micros INTEGER NOT NULL,
  currency TEXT NOT NULL,
  PRIMARY KEY (product_id, offer, valid_from_ms)
) STRICT, WITHOUT ROWID;

-- Exchange rates. `rate_picos` is the value of one unit of `base` in 10⁻¹² units of `currency`, valid from
-- `day` (UTC, days since 1970). It is NULL if the publisher declares that there is no rate.
CREATE TABLE rates (
  base TEXT NOT NULL,
  currency TEXT NOT NULL,
  day INTEGER NOT NULL,
  rate_picos INTEGER,
  PRIMARY KEY (base, currency, day)
) STRICT, WITHOUT ROWID;

-- Apple's downloadable reports, each version of them. Days are Pacific, in days since 1970.
--
-- - `digest` is independent of the order of the file's lines, and `line_count` is their number.
-- - `replaced_at_ms` is NULL for the newest version.
-- - `apple_report_shapes` has the values that many rows share.
-- - `amount_micros` and `proceeds_micros` are for all units; negative for refunds.
-- - `subscriber` is the hash of Apple's Subscriber ID with the salt.
-- - `apple_products` maps Apple's ids to product ids, from reports that have both.
CREATE TABLE apple_reports (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  vendor TEXT NOT NULL,
  region TEXT NOT NULL,
  from_day INTEGER NOT NULL,
  through_day INTEGER NOT NULL,
  digest TEXT NOT NULL,
  line_count INTEGER NOT NULL,
  imported_at_ms INTEGER NOT NULL,
  replaced_at_ms INTEGER
) STRICT;
CREATE INDEX apple_reports_days ON apple_reports (kind, through_day);
CREATE TABLE apple_report_shapes (
  id INTEGER PRIMARY KEY,
  measure TEXT NOT NULL,
  apple_id TEXT NOT NULL,
  product_id TEXT,
  storefront TEXT NOT NULL,
  offer TEXT NOT NULL,
  price_micros INTEGER,
  currency TEXT,
  proceeds_currency TEXT
) STRICT;
CREATE INDEX apple_report_shapes_lookup ON apple_report_shapes ({apple_report_shape_columns});
CREATE TABLE apple_report_rows (
  report_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  shape_id INTEGER NOT NULL,
  units INTEGER NOT NULL,
  amount_micros INTEGER,
  proceeds_micros INTEGER,
  subscriber TEXT,
  purchased_day INTEGER,
  settled_day INTEGER
) STRICT;
CREATE INDEX apple_report_rows_report ON apple_report_rows (report_id);
CREATE INDEX apple_report_rows_subscriber ON apple_report_rows (subscriber) WHERE subscriber IS NOT NULL;
CREATE TABLE apple_products (
  apple_id TEXT PRIMARY KEY,
  product_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE apple_subscriber_salt (salt TEXT NOT NULL) STRICT;

-- Derived tables, which `Derivation` writes and `LedgerRebuild` rebuilds. A row of `lines` is a subscription.
CREATE TABLE lines (
  id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  subscription_group_id TEXT NOT NULL DEFAULT '',
  is_family_shared INTEGER NOT NULL,
  first_paid_ms INTEGER,
  cohort_class_id INTEGER,
  UNIQUE (chain_id, subscription_group_id, is_family_shared)
) STRICT;

CREATE TABLE event_shapes (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  apple_type TEXT NOT NULL,
  apple_subtype TEXT,
  reason TEXT,
  product_id TEXT NOT NULL,
  new_product_id TEXT,
  period_type TEXT,
  is_trial_conversion INTEGER NOT NULL,
  is_family_share INTEGER NOT NULL,
  is_told_by_notification_alone INTEGER NOT NULL,
  notification_type TEXT,
  flow TEXT
) STRICT;
CREATE INDEX event_shapes_lookup ON event_shapes ({event_shape_columns});
CREATE TABLE event_rows (
  chain_id INTEGER NOT NULL REFERENCES chains (id),
  place INTEGER NOT NULL,
  shape_id INTEGER NOT NULL,
  transaction_id TEXT,
  effective_at_ms INTEGER NOT NULL,
  observed_at_ms INTEGER NOT NULL,
  observed_after_ms INTEGER,
  app_user_id TEXT,
  notified_at_ms INTEGER,
  PRIMARY KEY (chain_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_effective ON event_rows (effective_at_ms);
CREATE INDEX events_observed ON event_rows (observed_at_ms);

-- A row of `spans` is an interval in which a line has one position (`Span`).
-- - `current_id`: Transaction that determines the position.
-- - `change_id`: Class of the change at the start of the span. NULL for family-shared lines, and if no figure
--   distinguishes the span from the previous one.
-- - `monthly_micros`: Monthly price of the current transaction, in the currency of the position.
-- - `access_end_ms`: NULL if it is the transaction's expiry.
-- - `converted_micros`: `monthly_micros` in the reporting currency; NULL without one, or without a price.
-- - `unconverted`: 1 if there is no exchange rate.
-- - `expires_ms`: Expiry, if the period has expired and may still be paid. For other spans and for
--   family-shared lines, `expires_ms`, `due_class_id` and `user_number` are NULL.
-- - `due_class_id`: Class that counts the period if it was not renewed.
-- - `charge_…`: Price of the next renewal from signed data, while the period is running.
-- - `user_number`: `Line.userNumber`; NULL if several users have the line.
--
-- `spans_unpaid`, and `spans_unpaid_long` for long spans, cover every query for unpaid spans.
--
-- A row of `episodes` is an episode of a line (`Episode`).
-- - `family`: One of `FactFamily.ofEpisodes`; `class_id` is a row of `fact_classes`.
-- - `current_id`: Transaction of the episode.
-- - `next_ms`: Instant of the awaited event.
-- - `settled_ms`: Instant after which the episode can no longer change; only for families that are searched
--   by this column.
-- - `irregular_until_ms`: Instant until which the outcome can be determined only from the whole line.
-- - `later_…`: Purchases after an offer; `last_…`: the last of these purchases, which may be in the future.
-- - `expires_ms`: Expiry of the transaction, for pending consent to a higher price.
--
-- `episodes_from` and `episodes_settled` are covering indexes.
--
-- A row of `sums` has the sums of one series for one time bucket (`LedgerGrain`).
-- - `series`: 0 for changes, below 100 for families of facts, and a multiple of 100 more for measures in the
--   reporting currency (`LedgerMeasure`). From 1000 on for cohorts: lines that are paid a number of calendar
--   months after their first payment, by the date of that payment.
-- - `at`: Number of the bucket since 1970; for calendar months, since the year 0.
-- - `packed`: Sums of every class (`PackedSums`), by id of `change_classes`, `fact_classes` or
--   `cohort_classes`.
--
-- `ledger_state` has one row.
-- - `receipts`, `transactions`: Numbers of rows, because counting would read the whole tables. Duplicate ids
--   of a purchase do not count.
-- - `reporting_currency`: Currency that derived amounts are converted to; NULL if there is none.
-- - `rates_fingerprint`: Fingerprint of the rates used.
CREATE TABLE ledger_state (
  rollup_version INTEGER NOT NULL,
  is_complete INTEGER NOT NULL,
  receipts INTEGER NOT NULL,
  transactions INTEGER NOT NULL,
  reporting_currency TEXT,
  rates_fingerprint INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO ledger_state (rollup_version, is_complete, receipts, transactions) VALUES ({rollup_version}, 1, 0, 0);
CREATE TRIGGER receipts_added AFTER INSERT ON receipts
  BEGIN UPDATE ledger_state SET receipts = receipts + 1; END;
CREATE TRIGGER receipts_removed AFTER DELETE ON receipts
  BEGIN UPDATE ledger_state SET receipts = receipts - 1; END;
CREATE TABLE position_classes (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL,
  state TEXT NOT NULL,
  product_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  auto_renew INTEGER,
  reason TEXT,
  currency TEXT,
  is_unseen INTEGER NOT NULL,
  is_change_pending INTEGER NOT NULL,
  storefront TEXT
) STRICT;
CREATE INDEX position_classes_lookup ON position_classes ({position_shape_columns});
CREATE TABLE change_classes (
  id INTEGER PRIMARY KEY,
  old_position_id INTEGER,
  new_position_id INTEGER NOT NULL,
  flow TEXT
) STRICT;
CREATE INDEX change_classes_lookup ON change_classes ({change_shape_columns});
CREATE TABLE spans (
  line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
  from_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  position_id INTEGER NOT NULL,
  change_id INTEGER,
  monthly_micros INTEGER NOT NULL,
  current_id INTEGER NOT NULL,
  renewal_info_id INTEGER,
  access_end_ms INTEGER,
  expires_ms INTEGER,
  due_class_id INTEGER,
  user_number INTEGER,
  converted_micros INTEGER,
  unconverted INTEGER,
  charge_micros INTEGER,
  charge_currency TEXT,
  PRIMARY KEY (line_id, from_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX spans_from ON spans (from_ms);
CREATE INDEX spans_unpaid ON spans (from_ms, until_ms, position_id, expires_ms, due_class_id, user_number)
  WHERE expires_ms IS NOT NULL AND {is_short};
CREATE INDEX spans_unpaid_long ON spans (until_ms, from_ms, position_id, expires_ms, due_class_id, user_number)
  WHERE expires_ms IS NOT NULL AND NOT ({is_short});
CREATE TABLE episodes (
  line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
  family INTEGER NOT NULL,
  from_ms INTEGER NOT NULL,
  current_id INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  next_ms INTEGER,
  settled_ms INTEGER,
  class_id INTEGER NOT NULL,
  micros INTEGER,
  converted_micros INTEGER,
  unconverted INTEGER,
  irregular_until_ms INTEGER,
  later_class_id INTEGER,
  later_count INTEGER,
  later_micros INTEGER,
  later_converted_micros INTEGER,
  later_unconverted INTEGER,
  last_ms INTEGER,
  last_count INTEGER,
  last_micros INTEGER,
  last_converted_micros INTEGER,
  last_unconverted INTEGER,
  expires_ms INTEGER,
  PRIMARY KEY (line_id, family, from_ms, current_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX episodes_from ON episodes (family, from_ms, until_ms, next_ms, class_id, micros, converted_micros,
  unconverted, irregular_until_ms);
CREATE INDEX episodes_settled ON episodes (family, settled_ms, from_ms, until_ms, next_ms, class_id, micros,
  converted_micros, unconverted, irregular_until_ms, last_ms, expires_ms) WHERE settled_ms IS NOT NULL;
CREATE TABLE fact_classes (
  id INTEGER PRIMARY KEY,
  family INTEGER NOT NULL,
  environment TEXT NOT NULL,
  product_id TEXT NOT NULL,
  detail TEXT NOT NULL,
  currency TEXT,
  storefront TEXT
) STRICT;
CREATE INDEX fact_classes_lookup ON fact_classes ({fact_shape_columns});
CREATE TABLE sums (
  series INTEGER NOT NULL,
  grain INTEGER NOT NULL,
  at INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (series, grain, at)
) STRICT, WITHOUT ROWID;

-- Cohorts. A line belongs to the month of `lines.first_paid_ms` and to `lines.cohort_class_id`. Both are
-- NULL for lines that were never paid, and for family-shared lines.
CREATE TABLE cohort_classes (
  id INTEGER PRIMARY KEY,
  environment TEXT NOT NULL,
  product_id TEXT NOT NULL,
  storefront TEXT,
  kind TEXT NOT NULL,
  offer TEXT,
  currency TEXT
) STRICT;
CREATE INDEX cohort_classes_lookup ON cohort_classes ({cohort_shape_columns});
CREATE INDEX lines_first_paid ON lines (first_paid_ms, cohort_class_id) WHERE first_paid_ms IS NOT NULL;

-- Sweeps. A sweep records its process, so that other processes can determine whether it is still running.
-- `pid` is valid in `pid_namespace` of `host`, for the boot `boot_id`. `process_started` is in clock ticks
-- after the boot (proc(5)).
CREATE TABLE sweeps (
  id INTEGER PRIMARY KEY,
  started_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER,
  lease_ms INTEGER NOT NULL DEFAULT 60000,
  selection TEXT NOT NULL DEFAULT '',
  started_by TEXT NOT NULL DEFAULT '',
  host TEXT NOT NULL DEFAULT '',
  boot_id TEXT NOT NULL DEFAULT '',
  pid_namespace TEXT NOT NULL DEFAULT '',
  pid INTEGER NOT NULL DEFAULT 0,
  process_started INTEGER NOT NULL DEFAULT 0,
  picked INTEGER NOT NULL DEFAULT 0,
  validated INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  new_transactions INTEGER NOT NULL DEFAULT 0,
  renewals INTEGER NOT NULL DEFAULT 0,
  refunds INTEGER NOT NULL DEFAULT 0,
  state_changes INTEGER NOT NULL DEFAULT 0,
  rerouted INTEGER NOT NULL DEFAULT 0,
  retried INTEGER NOT NULL DEFAULT 0,
  retry_later INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  given_back INTEGER NOT NULL DEFAULT 0,
  transport_errors INTEGER NOT NULL DEFAULT 0,
  latency_p50_ms REAL,
  latency_p95_ms REAL,
  last_transport_error TEXT,
  not_before_ms INTEGER,
  stopped TEXT,
  failure TEXT
) STRICT;
CREATE INDEX sweeps_unfinished ON sweeps (id) WHERE finished_at_ms IS NULL;
CREATE INDEX sweeps_last ON sweeps (picked > 0, finished_at_ms) WHERE finished_at_ms IS NOT NULL;
CREATE INDEX sweeps_not_before ON sweeps (not_before_ms) WHERE not_before_ms IS NOT NULL;
CREATE TABLE sweep_statuses (
  sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
  status INTEGER NOT NULL,
  count INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  example_receipt_id INTEGER NOT NULL,
  PRIMARY KEY (sweep_id, status)
) STRICT, WITHOUT ROWID;
CREATE TABLE sweep_http (
  sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
  http INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (sweep_id, http)
) STRICT, WITHOUT ROWID;

-- Apps whose requests a sweep stopped. `bundle_id` is NULL for receipts whose app was unknown.
CREATE TABLE sweep_stopped_apps (
  sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
  bundle_id TEXT,
  reason TEXT NOT NULL,
  key_id TEXT,
  clock_ahead_ms INTEGER
) STRICT;
CREATE INDEX sweep_stopped_apps_sweep ON sweep_stopped_apps (sweep_id);

-- Receipts that recent sweeps changed or failed to check, at most `SweptReceipts.most` per sweep and outcome.
CREATE TABLE sweep_receipts (
  sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
  receipt_id INTEGER NOT NULL REFERENCES receipts (id),
  outcome TEXT NOT NULL,
  status INTEGER,
  reason TEXT,
  PRIMARY KEY (sweep_id, receipt_id)
) STRICT, WITHOUT ROWID;

-- Leases, and the due policy. A lease that was renewed over a minute in the future is void, because the clock
-- was ahead then. `due_policy` has one row: the digest of the policy that computed the due dates.
CREATE TABLE leases (
  receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
  sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
  renewed_at_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX leases_sweep ON leases (sweep_id);
CREATE TABLE due_policy (digest TEXT NOT NULL) STRICT;

-- Alerts that a sweep raised. `told_at_ms` is when the user was notified, and `cleared_at_ms` is when the
-- condition had ended. The row is deleted once its end has been reported. A process claims an alert until
-- `claimed_until_ms` while it sends the message.
CREATE TABLE alerts (
  name TEXT PRIMARY KEY,
  condition TEXT NOT NULL,
  raised_at_ms INTEGER NOT NULL,
  told_at_ms INTEGER,
  cleared_at_ms INTEGER,
  claimed_until_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Publication to a team's server. Every table is empty unless the store has been published.
--
-- - `publication` has one row. `part_offset` is added to row ids, so that they are unique on the server.
--   `journal_seq` is the number of the last commit in the journal. `tokens` identify the last commits on the
--   server, because the result of a commit may stay unknown.
-- - `published_classes` has the id of each class or shape (`SharedClass`) on the server.
-- - `changed_chains` and `changed_sums` are the journal: rows to publish, with the number of the last commit
--   that changed them.
CREATE TABLE publication (
  store_id TEXT NOT NULL,
  part_offset INTEGER NOT NULL,
  journal_seq INTEGER NOT NULL,
  tokens TEXT NOT NULL
) STRICT;
CREATE TABLE published_classes (
  kind INTEGER NOT NULL,
  local_id INTEGER NOT NULL,
  shared_id INTEGER NOT NULL,
  PRIMARY KEY (kind, local_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE changed_chains (
  chain_id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT;
CREATE TABLE changed_sums (
  series INTEGER NOT NULL,
  grain INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (series, grain, at)
) STRICT, WITHOUT ROWID;

-- Views `transactions` and `events`. CROSS JOIN makes SQLite look up the shape last in every query.
CREATE VIEW transactions AS
SELECT r.id, r.chain_id, r.transaction_id, r.web_order_line_item_id, s.product_id, s.subscription_group_identifier,
  s.quantity, r.purchase_date_ms, r.original_purchase_date_ms, r.expires_date_ms, r.cancellation_date_ms, s.cancellation_reason, s.is_trial_period, s.is_in_intro_offer_period,
  s.is_upgraded, s.in_app_ownership_type, s.promotional_offer_id, s.offer_code_ref_name,
  r.app_account_token, r.first_observed_at_ms, r.observed_at_ms,
  s.is_lagging, r.line_id, r.duplicate_of, s.kind, s.price_micros, s.currency, s.monthly_micros,
  iif(s.kind IS NULL, NULL, ifnull(r.effective_end_ms, r.expires_date_ms)) AS effective_end_ms, r.refunded_at_ms,
  s.refund_reason, s.upgraded, r.upgraded_at_ms, s.upgrade_confirmed, s.upgrade_direction, s.successor_product_id,
  r.prorated_refund_micros, s.outcome, s.period, s.change_direction, r.confirmed_at_ms, s.arrival, s.is_past_first_year,
  s.changed_from_product_id, r.cancelled_at_ms, s.is_signed, s.is_price_signed, s.storefront, r.partial_refund_micros
FROM transaction_rows r CROSS JOIN transaction_shapes s ON s.id = r.shape_id;
CREATE VIEW events AS
SELECT e.chain_id * {places_of_chain} + e.place AS id, e.chain_id, s.is_family_share, s.type, s.apple_type,
  s.apple_subtype, s.reason, e.transaction_id, s.product_id, s.new_product_id, e.app_user_id, s.period_type, s.is_trial_conversion, e.effective_at_ms,
  e.observed_at_ms, e.observed_after_ms, s.is_told_by_notification_alone, s.notification_type, e.notified_at_ms, s.flow
FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id;

CREATE VIEW v_lines AS
SELECT original_transaction_id, environment, subscription_group_id, is_family_shared, state, product_id, kind,
  expires_date_ms, access_end_ms, auto_renew_status, expiration_intent, price_micros, currency, monthly_micros,
  validated_at_ms
FROM ({lines_at_now});

CREATE VIEW v_transactions AS
SELECT c.environment, c.original_transaction_id, x.*
FROM transactions x JOIN chains c ON c.id = x.chain_id;

CREATE VIEW v_refunds AS
SELECT c.environment, c.original_transaction_id, x.transaction_id, x.product_id, x.kind, x.refunded_at_ms,
  x.refund_reason, x.price_micros, x.currency, x.storefront, x.partial_refund_micros
FROM transactions x JOIN chains c ON c.id = x.chain_id WHERE x.refunded_at_ms IS NOT NULL;

CREATE VIEW v_upgrades AS
SELECT c.environment, c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id,
  x.upgrade_direction, x.upgraded_at_ms, x.upgrade_confirmed, x.purchase_date_ms, x.expires_date_ms,
  x.price_micros, x.currency, x.prorated_refund_micros
FROM transactions x JOIN chains c ON c.id = x.chain_id WHERE x.upgraded = 1;

CREATE VIEW v_events AS
SELECT c.environment, c.original_transaction_id, e.id, e.chain_id, e.is_family_share, e.type, e.apple_type,
  e.apple_subtype, e.reason, e.flow, e.transaction_id, e.product_id, e.new_product_id, e.app_user_id, e.period_type,
  e.is_trial_conversion, e.effective_at_ms, e.observed_at_ms, e.observed_after_ms, e.is_told_by_notification_alone,
  e.notification_type, e.notified_at_ms
FROM events e JOIN chains c ON c.id = e.chain_id;

-- Receipts without their contents.
CREATE VIEW v_receipts AS
SELECT q.id, q.app_user_id, q.bundle_id, q.environment, q.imported_at_ms, q.last_checked_at_ms,
  q.last_validated_at_ms, q.full_answer_at_ms, q.last_status, q.attempts, q.failing_since_ms, q.last_failure,
  q.next_due_at_ms, q.due_rule, q.dead_reason, q.dead_at_ms, q.has_contents, e.sweep_id AS leased_by,
  (SELECT count(*) FROM receipt_chains k WHERE k.receipt_id = q.id) AS chains
FROM receipts q LEFT JOIN leases e ON e.receipt_id = q.id AND e.until_ms > {now};

CREATE VIEW v_rates AS
SELECT base, currency, date(day * 86400, 'unixepoch') AS day, rate_picos / 1e12 AS rate FROM rates;

CREATE VIEW v_sweeps AS
SELECT s.*, (SELECT group_concat(t.status || ': ' || t.count, ', ') FROM sweep_statuses t WHERE t.sweep_id = s.id)
  AS statuses,
  (SELECT group_concat(t.http || ': ' || t.count, ', ') FROM sweep_http t WHERE t.sweep_id = s.id) AS http,
  (SELECT group_concat(ifnull(t.bundle_id, 'unknown') || ': ' || t.reason, ', ') FROM sweep_stopped_apps t
    WHERE t.sweep_id = s.id) AS stopped_apps
FROM sweeps s;
