-- Main figures of five panels from the raw rows, one query each. `$t` is the as-of instant, `$from` the start of the window.

-- active
WITH lines AS (
  SELECT state, auto_renew_status, current.product_id AS product_id, current.kind AS kind, current.purchase AS purchase,
    offer(current.kind, current.promotional_offer_id, current.offer_code_ref_name) AS offer
  FROM judged($t, $t - 60 * day()) WHERE state IN ('trial', 'active', 'grace'))
SELECT l.product_id, l.state, l.kind, l.auto_renew_status, count(*) AS lines,
  sum(monthly(c.price_micros, c.count, c.unit)) AS monthly_micros, c.currency
FROM lines l ASOF LEFT JOIN catalog c ON c.product_id = l.product_id AND c.offer = l.offer AND c.valid_from_ms <= l.purchase
GROUP BY l.product_id, l.state, l.kind, l.auto_renew_status, c.currency;

-- billing-retry
WITH lines AS (
  SELECT line_id, chain_id, state, current.product_id AS product_id, current.kind AS kind, current.purchase AS purchase,
    offer(current.kind, current.promotional_offer_id, current.offer_code_ref_name) AS offer
  FROM judged($t, $t - 60 * day()) WHERE state IN ('grace', 'billing_retry')),
priced AS (
  SELECT l.*, monthly(c.price_micros, c.count, c.unit) AS monthly_micros, h.app_user_id
  FROM lines l ASOF LEFT JOIN catalog c ON c.product_id = l.product_id AND c.offer = l.offer
      AND c.valid_from_ms <= l.purchase
    LEFT JOIN holders h ON h.chain_id = l.chain_id)
SELECT state, count(DISTINCT line_id) AS lines, count(DISTINCT ifnull('user ' || app_user_id, 'chain ' || chain_id)) AS users,
  (SELECT sum(o.monthly_micros) FROM (SELECT DISTINCT line_id, state, monthly_micros FROM priced) o
    WHERE o.state = p.state) AS monthly_micros
FROM priced p GROUP BY state;

-- churn
WITH judged AS MATERIALIZED (SELECT * FROM judged($t, $from - 60 * day())),
standing AS MATERIALIZED (SELECT * FROM standing($from - 60 * day())),
-- Refunds of rows without a later-ending row, and the instant until which the line would otherwise have been kept: the next
-- purchase if the only answer came later than that (the gap was not seen), or else the end of grace or retry.
refunded AS (
  SELECT x.line_id, x.kind, x.expires, x.refunded_at, j.expiration_intent,
    CASE WHEN min(y.purchase) <= any_value(j.validated_at_ms)
        THEN CASE WHEN min(y.purchase) <= x.expires + 60 * day() THEN min(y.purchase) ELSE x.expires END
      WHEN any_value(j.is_in_billing_retry_period) = 1 AND any_value(j.validated_at_ms) < x.expires + 60 * day()
        THEN x.expires + 60 * day()
      ELSE greatest(x.expires, ifnull(any_value(j.grace_period_expires_date_ms), x.expires)) END AS kept_until
  FROM standing x JOIN judged j ON j.line_id = x.line_id
    LEFT JOIN standing y ON y.line_id = x.line_id AND y.purchase > x.refunded_at
      AND ifnull(y.dead_from > y.purchase, true)
  WHERE x.refunded_at > x.purchase AND x.refunded_at <= $t AND NOT EXISTS (
    SELECT 1 FROM standing o WHERE o.line_id = x.line_id AND o.purchase <= x.refunded_at
      AND CASE WHEN ifnull(o.dead_from > x.refunded_at, true) THEN o.expires > least(x.expires, x.refunded_at)
        ELSE o.refunded_at IS NOT NULL AND o.expires > x.expires
          AND (x.refunded_at >= x.expires OR o.refunded_at = x.refunded_at) END)
  GROUP BY x.line_id, x.transaction_id, x.kind, x.expires, x.refunded_at, j.expiration_intent),
-- Losses in the window, including lines that were refunded and came back. A refund of a line that is already out is no loss.
-- Lines that came back after more than 60 days without a snapshot are missing, so only windows up to 60 days are comparable.
left_at AS (
  SELECT line_id, state, lost_at, expiration_intent, current.kind AS kind FROM judged WHERE state = 'expired'
  UNION ALL SELECT line_id, CASE WHEN refunded_at < kept_until THEN 'revoked' ELSE 'expired' END,
    least(refunded_at, kept_until), expiration_intent, kind FROM refunded),
lost AS (
  SELECT line_id, state, CASE WHEN state = 'expired' THEN expiration_intent END AS intent, kind <> 'trial' AS is_paid
  FROM left_at WHERE lost_at > $from AND lost_at <= $t),
known AS (
  SELECT line_id, arg_max({'kind': kind, 'expires': expires, 'transaction_id': transaction_id},
      {'a': expires, 'b': purchase, 'c': place.c, 'd': place.d})
      FILTER (WHERE purchase <= $from AND ifnull(dead_from > $from, true)) AS x,
    max(expires) FILTER (WHERE refunded_at <= $from) AS refunded_until
  FROM standing GROUP BY line_id),
-- Lines in Paid or Retry at the start. The only answer determines the state in a gap that began before.
begun AS (
  SELECT k.line_id FROM known k LEFT JOIN judged j ON j.line_id = k.line_id
    AND k.x.transaction_id IN (j.current.transaction_id, j.revoking.transaction_id)
  WHERE k.x.kind <> 'trial' AND (k.x.expires > $from OR ifnull(k.refunded_until, 0) <= k.x.expires
    AND j.validated_at_ms >= k.x.expires AND (j.grace_period_expires_date_ms > $from
      OR j.is_in_billing_retry_period = 1 AND j.validated_at_ms < k.x.expires + 60 * day()))),
due AS (
  SELECT * FROM scoped WHERE kind <> 'trial' AND expires > $from AND expires <= $t AND cancellation IS NULL
    AND NOT is_upgraded),
renewed AS (
  SELECT DISTINCT x.line_id, x.transaction_id FROM due x JOIN scoped y ON y.line_id = x.line_id
    AND y.purchase > x.purchase AND y.purchase <= x.expires + day() AND y.expires > x.expires),
renewals AS (
  SELECT p.period, count(*) AS due, count(n.line_id) AS renewed,
    count(*) FILTER (WHERE n.line_id IS NULL AND j.state IN ('grace', 'billing_retry', 'overdue')) AS pending
  FROM due x LEFT JOIN products p ON p.product_id = x.product_id
    LEFT JOIN renewed n ON n.line_id = x.line_id AND n.transaction_id = x.transaction_id
    LEFT JOIN judged j ON j.line_id = x.line_id AND j.current.transaction_id = x.transaction_id
  GROUP BY p.period),
trials AS (
  SELECT x.line_id, x.transaction_id, any_value(least(x.expires, ifnull(x.dead_from, x.expires))) AS ended,
    min(y.purchase) AS paid_from
  FROM standing($from) x LEFT JOIN scoped y ON y.line_id = x.line_id AND y.purchase > x.purchase AND y.kind <> 'trial'
  WHERE x.kind = 'trial' GROUP BY x.line_id, x.transaction_id)
SELECT 'lost' AS figure, state AS name, intent AS detail, is_paid, count(*) AS count, 0 AS second, 0 AS third
  FROM lost GROUP BY state, intent, is_paid
UNION ALL SELECT 'start', NULL, NULL, NULL, (SELECT count(*) FROM begun),
  (SELECT count(*) FROM lost WHERE is_paid), 0
UNION ALL SELECT 'renewals', period, NULL, NULL, due, renewed, pending FROM renewals
UNION ALL SELECT 'trials', NULL, NULL, NULL, count(*), count(*) FILTER (WHERE paid_from <= ended + day()),
  count(*) FILTER (WHERE paid_from > ended + day() AND paid_from <= ended + 60 * day())
  FROM trials WHERE ended > $from AND ended <= $t;

-- refunds
WITH issued AS (
  SELECT *, offer(kind, promotional_offer_id, offer_code_ref_name) AS offer FROM scoped
  WHERE NOT is_upgraded AND cancellation > $from AND cancellation <= $t)
SELECT 'issued' AS figure, i.cancellation_reason AS reason, count(*) AS count, sum(c.price_micros) AS micros
  FROM issued i ASOF LEFT JOIN catalog c ON c.product_id = i.product_id AND c.offer = i.offer
    AND c.valid_from_ms <= i.purchase GROUP BY i.cancellation_reason
UNION ALL SELECT 'one_time', NULL, count(*), 0 FROM one_time
  WHERE cancellation > $from AND cancellation <= $t AND environment = 'Production'
    AND in_app_ownership_type <> 'FAMILY_SHARED'
UNION ALL SELECT 'cohort', NULL, count(*), count(*) FILTER (WHERE NOT is_upgraded AND cancellation <= $t) FROM scoped
  WHERE kind <> 'trial' AND purchase > $from AND purchase <= $t;

-- upgrades
WITH replaced AS MATERIALIZED (SELECT * FROM upgraded($from - 60 * day())),
dated AS (
  SELECT *, offer(kind, promotional_offer_id, offer_code_ref_name) AS offer FROM replaced
  WHERE instant > $from AND instant <= $t),
priced AS (
  SELECT CASE WHEN new.level < old.level THEN 'upgrade' WHEN new.level = old.level THEN 'crossgrade'
      ELSE 'unranked' END AS direction,
    CASE WHEN d.kind = 'trial' OR d.expires <= d.purchase THEN 0 ELSE CAST((2 * CAST(c.price_micros AS HUGEINT)
      * (d.expires - d.instant) + (d.expires - d.purchase)) // (2 * (d.expires - d.purchase)) AS BIGINT) END AS micros
  FROM dated d ASOF LEFT JOIN catalog c ON c.product_id = d.product_id AND c.offer = d.offer
      AND c.valid_from_ms <= d.purchase
    LEFT JOIN products old ON old.product_id = d.product_id
    LEFT JOIN products new ON new.product_id = d.successor_product_id),
ordered AS (
  SELECT line_id, transaction_id, product_id, purchase,
    lag(CASE WHEN NOT is_upgraded THEN {'product_id': product_id, 'expires': expires} END IGNORE NULLS)
      OVER (PARTITION BY line_id ORDER BY place) AS before
  FROM scoped WHERE expires > $from - 60 * day()),
changed AS (
  SELECT CASE WHEN new.level > old.level THEN 'downgrade' WHEN new.level = old.level THEN 'crossgrade'
    ELSE 'unranked' END AS direction
  FROM ordered y LEFT JOIN products old ON old.product_id = y.before.product_id
    LEFT JOIN products new ON new.product_id = y.product_id
  WHERE y.purchase > $from AND y.purchase <= $t AND y.before.product_id <> y.product_id
    AND y.purchase BETWEEN y.before.expires - day() AND y.before.expires + 60 * day()
    AND NOT EXISTS (SELECT 1 FROM replaced r WHERE r.line_id = y.line_id AND r.successor_id = y.transaction_id))
SELECT 'immediate' AS figure, direction, count(*) AS count, sum(micros) AS micros FROM priced GROUP BY direction
UNION ALL SELECT 'at_renewal', direction, count(*), 0 FROM changed GROUP BY direction
UNION ALL SELECT 'pending', NULL, count(*), 0 FROM judged($t, $t - 60 * day())
  WHERE auto_renew_status = 1 AND auto_renew_product_id <> current.product_id
    AND state IN ('trial', 'active', 'grace', 'billing_retry');
