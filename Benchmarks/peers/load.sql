-- Loads the raw rows of a store into DuckDB before anything is timed. The rows are cleaned by METRICS §1, so the queries need
-- not look for duplicates or for the group of a line. {folder} contains the CSV files.
CREATE TABLE catalog AS
SELECT product_id, ifnull(offer, '') AS offer, valid_from_ms, subscription_group_id AS group_id, level, period, price_micros,
  currency, CAST(regexp_extract(period, '[0-9]+') AS BIGINT) AS count, right(period, 1) AS unit
FROM read_csv('{folder}/catalog.csv', header = true, types = {{'subscription_group_id': 'VARCHAR', 'valid_from_ms': 'BIGINT',
  'price_micros': 'BIGINT'}});

CREATE TABLE products AS
SELECT product_id, arg_max(level, valid_from_ms) AS level, arg_max(group_id, valid_from_ms) AS group_id,
  arg_max(period, valid_from_ms) FILTER (WHERE offer = '') AS period
FROM catalog GROUP BY product_id;

CREATE TABLE chains AS SELECT * FROM read_csv('{folder}/chains.csv', header = true, types = {{
  'id': 'BIGINT', 'environment': 'VARCHAR', 'original_transaction_id': 'VARCHAR', 'validated_at_ms': 'BIGINT'}});

CREATE TABLE holders AS SELECT * FROM read_csv('{folder}/holders.csv', header = true, types = {{
  'chain_id': 'BIGINT', 'app_user_id': 'VARCHAR'}});

CREATE TABLE renewal_infos AS SELECT * FROM read_csv('{folder}/renewal_infos.csv', header = true, types = {{
  'id': 'BIGINT', 'chain_id': 'BIGINT', 'observed_at_ms': 'BIGINT', 'product_id': 'VARCHAR',
  'auto_renew_product_id': 'VARCHAR', 'auto_renew_status': 'BIGINT', 'expiration_intent': 'VARCHAR',
  'is_in_billing_retry_period': 'BIGINT', 'grace_period_expires_date_ms': 'BIGINT'}});

CREATE TEMP TABLE raw AS
SELECT * RENAME (purchase_date_ms AS purchase, expires_date_ms AS expires, cancellation_date_ms AS cancellation)
FROM read_csv('{folder}/transactions.csv', header = true, types = {{
  'id': 'BIGINT', 'chain_id': 'BIGINT', 'transaction_id': 'VARCHAR', 'web_order_line_item_id': 'VARCHAR',
  'product_id': 'VARCHAR', 'subscription_group_identifier': 'VARCHAR', 'purchase_date_ms': 'BIGINT',
  'expires_date_ms': 'BIGINT', 'cancellation_date_ms': 'BIGINT', 'cancellation_reason': 'VARCHAR',
  'is_trial_period': 'BIGINT', 'is_in_intro_offer_period': 'BIGINT', 'is_upgraded': 'BIGINT',
  'in_app_ownership_type': 'VARCHAR', 'promotional_offer_id': 'VARCHAR', 'offer_code_ref_name': 'VARCHAR'}});

-- Merge two ids of one purchase into one row.
CREATE TEMP TABLE singles AS
WITH ranked AS (
  SELECT *, row_number() OVER same AS place, count(*) OVER same AS ids
  FROM raw
  WINDOW same AS (PARTITION BY chain_id, ifnull(web_order_line_item_id, 'of ' || transaction_id), product_id, purchase
    ORDER BY length(transaction_id), transaction_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
SELECT * EXCLUDE (place, ids) REPLACE (
  CASE WHEN ids = 1 THEN is_upgraded ELSE (SELECT max(o.is_upgraded) FROM raw o WHERE o.chain_id = r.chain_id
    AND o.web_order_line_item_id = r.web_order_line_item_id AND o.product_id = r.product_id
    AND o.purchase = r.purchase) END AS is_upgraded,
  CASE WHEN ids = 1 OR cancellation IS NOT NULL THEN cancellation ELSE (SELECT max(o.cancellation) FROM raw o
    WHERE o.chain_id = r.chain_id AND o.web_order_line_item_id = r.web_order_line_item_id
    AND o.product_id = r.product_id AND o.purchase = r.purchase) END AS cancellation)
FROM ranked r WHERE place = 1;

CREATE TABLE one_time AS
SELECT s.*, c.environment FROM singles s JOIN chains c ON c.id = s.chain_id WHERE expires IS NULL;

-- A row without a group takes the group of the chain's other rows of its product, or else the catalogue's.
CREATE TABLE rows AS
WITH stated AS (
  SELECT chain_id, product_id, any_value(subscription_group_identifier) AS group_id FROM singles
  WHERE subscription_group_identifier IS NOT NULL GROUP BY ALL),
grouped AS (
  SELECT s.*, c.environment, c.validated_at_ms, s.in_app_ownership_type = 'FAMILY_SHARED' AS is_family_shared,
    coalesce(s.subscription_group_identifier, g.group_id, p.group_id, '') AS group_id
  FROM singles s JOIN chains c ON c.id = s.chain_id
    LEFT JOIN stated g ON g.chain_id = s.chain_id AND g.product_id = s.product_id
    LEFT JOIN products p ON p.product_id = s.product_id
  WHERE s.expires IS NOT NULL)
SELECT dense_rank() OVER (ORDER BY chain_id, group_id, is_family_shared) AS line_id, chain_id, environment, is_family_shared,
  transaction_id, product_id, purchase, expires, cancellation, cancellation_reason,
  is_trial_period = 1 AS is_trial_period, is_in_intro_offer_period = 1 AS is_in_intro_offer_period,
  is_upgraded = 1 AS is_upgraded, promotional_offer_id, offer_code_ref_name
FROM grouped ORDER BY line_id, purchase, expires, length(transaction_id), transaction_id;

-- Keep purchased rows in production.
CREATE VIEW scoped AS
SELECT *, CASE WHEN is_trial_period THEN 'trial' WHEN is_in_intro_offer_period THEN 'intro'
    WHEN offer_code_ref_name IS NOT NULL THEN 'code' WHEN promotional_offer_id IS NOT NULL THEN 'promo'
    ELSE 'standard' END AS kind,
  {{'a': purchase, 'b': expires, 'c': length(transaction_id), 'd': transaction_id}} AS place
FROM rows WHERE environment = 'Production' AND NOT is_family_shared;

CREATE MACRO day() AS CAST(86400000 AS BIGINT);

-- Rows upgraded away that end after an instant, with their successors and upgrade instants.
CREATE MACRO upgraded(since) AS TABLE
WITH x AS (SELECT * FROM scoped WHERE is_upgraded AND expires > since),
met AS (
  SELECT x.line_id, x.transaction_id, y.place AS spot, y.transaction_id AS successor_id, y.product_id AS successor_product_id,
    y.purchase AS successor_purchase, y.purchase <= x.purchase AS is_ahead
  FROM x JOIN scoped y ON y.line_id = x.line_id AND y.transaction_id <> x.transaction_id
  WHERE (NOT y.is_upgraded AND y.purchase BETWEEN x.purchase - day() AND x.purchase AND y.expires > x.purchase)
    OR (y.purchase > x.purchase AND y.purchase < x.expires)),
chosen AS (
  SELECT * FROM met QUALIFY row_number() OVER (PARTITION BY line_id, transaction_id
    ORDER BY is_ahead DESC, CASE WHEN is_ahead THEN spot END DESC, spot) = 1)
SELECT x.*, s.successor_id, s.successor_product_id,
  -- The instant is NULL if both dates are missing, because `least` and `greatest` ignore NULL.
  CASE WHEN coalesce(x.cancellation, s.successor_purchase) IS NOT NULL THEN
    greatest(x.purchase, least(x.expires, x.cancellation, s.successor_purchase)) END AS instant
FROM x LEFT JOIN chosen s ON s.line_id = x.line_id AND s.transaction_id = x.transaction_id;

-- Rows that end after an instant, with the instants of their refunds or upgrades.
CREATE MACRO standing(since) AS TABLE
SELECT s.*, CASE WHEN s.is_upgraded THEN ifnull(u.instant, s.purchase) ELSE s.cancellation END AS dead_from,
  CASE WHEN NOT s.is_upgraded THEN s.cancellation END AS refunded_at
FROM scoped s LEFT JOIN upgraded(since) u ON u.line_id = s.line_id AND u.transaction_id = s.transaction_id
WHERE s.expires > since;

-- Lines with a row that ends after `since`, and their state at `t`.
CREATE MACRO judged(t, since) AS TABLE
WITH kept AS (
  SELECT line_id, chain_id, purchase, expires, dead_from, refunded_at, place, {{'transaction_id': transaction_id,
    'product_id': product_id, 'kind': kind, 'purchase': purchase, 'expires': expires,
    'promotional_offer_id': promotional_offer_id, 'offer_code_ref_name': offer_code_ref_name,
    'effective_end': least(expires, ifnull(dead_from, expires))}} AS x
  FROM standing(since)),
found AS (
  SELECT line_id, any_value(chain_id) AS chain_id,
    arg_max(x, {{'a': expires, 'b': purchase, 'c': place.c, 'd': place.d}})
      FILTER (WHERE purchase <= t AND ifnull(dead_from > t, true)) AS live,
    arg_max(x, expires) FILTER (WHERE refunded_at <= t) AS refunded,
    arg_max(x, expires) FILTER (WHERE purchase <= t AND dead_from <= t) AS dead
  FROM kept GROUP BY line_id),
-- If none of these rows is live, an older row may be the current one. Its state follows from the latest renewal info.
older AS (
  SELECT f.line_id, arg_max({{'transaction_id': y.transaction_id, 'product_id': y.product_id, 'kind': y.kind,
      'purchase': y.purchase, 'expires': y.expires, 'promotional_offer_id': y.promotional_offer_id,
      'offer_code_ref_name': y.offer_code_ref_name, 'effective_end': y.expires}},
    {{'a': y.expires, 'b': y.purchase, 'c': y.place.c, 'd': y.place.d}}) AS live
  FROM found f JOIN scoped y ON y.line_id = f.line_id
  WHERE f.live IS NULL AND y.purchase <= t AND NOT y.is_upgraded AND ifnull(y.cancellation > t, true)
  GROUP BY f.line_id),
living AS (
  SELECT f.* REPLACE (ifnull(f.live, o.live) AS live) FROM found f LEFT JOIN older o ON o.line_id = f.line_id),
placed AS (
  SELECT f.line_id, f.chain_id, coalesce(live, refunded, dead) AS current, live IS NOT NULL AS is_live,
    CASE WHEN live IS NULL OR refunded.expires > live.expires THEN refunded END AS revoking, c.validated_at_ms
  FROM living f JOIN chains c ON c.id = f.chain_id WHERE coalesce(live, refunded, dead) IS NOT NULL),
told AS (
  SELECT p.*, r.* EXCLUDE (id, chain_id, product_id)
  FROM placed p LEFT JOIN renewal_infos r ON r.chain_id = p.chain_id AND r.observed_at_ms <= t
  QUALIFY row_number() OVER (PARTITION BY p.line_id
    ORDER BY r.observed_at_ms DESC, (r.product_id = p.current.product_id) DESC, r.id DESC) = 1)
SELECT *, CASE
    WHEN is_live AND t < current.expires THEN CASE WHEN current.kind = 'trial' THEN 'trial' ELSE 'active' END
    WHEN revoking IS NOT NULL THEN 'revoked'
    WHEN is_live AND validated_at_ms < current.expires THEN 'overdue'
    WHEN is_live AND grace_period_expires_date_ms > t THEN 'grace'
    WHEN is_live AND is_in_billing_retry_period = 1 AND t < current.expires + 60 * day() THEN 'billing_retry'
    ELSE 'expired' END AS state,
  -- Instant of `expired`. It is the end of billing retry for lines last seen in it.
  CASE WHEN is_in_billing_retry_period = 1 AND validated_at_ms < current.expires + 60 * day() THEN current.expires + 60 * day()
    ELSE greatest(current.expires, ifnull(grace_period_expires_date_ms, current.expires)) END AS lost_at
FROM told;

CREATE MACRO offer(kind, promo, code) AS
  CASE kind WHEN 'trial' THEN 'trial' WHEN 'intro' THEN 'intro' WHEN 'promo' THEN 'promo:' || promo
    WHEN 'code' THEN 'code:' || code ELSE '' END;

CREATE MACRO monthly(price, count, unit) AS CAST(round_even(CASE unit WHEN 'D' THEN price * 487.0 / (16 * count)
  WHEN 'W' THEN price * 487.0 / (112 * count) WHEN 'M' THEN price / count ELSE price / (12.0 * count) END, 0) AS BIGINT);
