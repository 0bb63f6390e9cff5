import GRDB
import Subscriptions
import Synchronization

enum RatesTable {
  /// Returns the rates that convert purchases since an instant (all purchases if `nil`) to a currency.
  static func exchange(in reporting: CurrencyCode, since: Instant?, _ db: Database) throws -> ExchangeRates {
    let fingerprint = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT rates_fingerprint FROM ledger_state"))
    let day = since.map { Int(flooredQuotient($0.rawValue, over: Milliseconds.day)) }
    let key = Key(fingerprint: fingerprint ?? 0, reporting: reporting, since: day)
    if let known = known.withLock({ $0.first { $0.key == key }?.rates }) { return known }
    let rates = ExchangeRates(try read(since: day, db), in: reporting)
    known.withLock { known in
      known.removeAll { $0.key == key }
      known = known.suffix(most - 1) + [(key, rates)]
    }
    return rates
  }

  private struct Key: Hashable {
    var fingerprint: Int64
    var reporting: CurrencyCode
    var since: Int?
  }

  /// Cache of recently read rates, because reading several hundred thousand again would be slow.
  private static let known = Mutex<[(key: Key, rates: ExchangeRates)]>([])
  private static let most = 4

  private static func read(since day: Int?, _ db: Database) throws -> [PublishedRate] {
    var rates: [PublishedRate] = []
    try db.forEach("SELECT DISTINCT base, currency FROM rates ORDER BY 1, 2") { row in
      let (base, currency): (CurrencyCode, CurrencyCode) = try (row.read(0), row.read(1))
      var statement = try BoundStatement(
        """
        SELECT day, rate_picos FROM rates WHERE base = ?1 AND currency = ?2 AND day >= ifnull((SELECT max(k.day)
          FROM rates k WHERE k.base = ?1 AND k.currency = ?2 AND k.day <= ?3 AND k.rate_picos IS NOT NULL), ?4)
        ORDER BY day
        """, db)
      statement.bind(base.rawValue)
      statement.bind(currency.rawValue)
      statement.bind(day.map(Int64.init))
      statement.bind(Int64.min)
      try statement.forEach { row in
        rates.append(PublishedRate(base: base, currency: currency, day: row.count(0), picos: row.number(1)))
      }
    }
    return rates
  }

  /// Adds rates, replacing rates of the same base, currency and day; returns how many are new or changed.
  static func write(_ rates: some Sequence<PublishedRate>, _ db: Database) throws -> Int {
    let before = db.totalChangesCount
    var upsert = try BoundStatement(
      """
      INSERT INTO rates (base, currency, day, rate_picos) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET rate_picos = excluded.rate_picos WHERE rate_picos IS NOT excluded.rate_picos
      """, db)
    for rate in rates {
      upsert.bind(rate.base.rawValue)
      upsert.bind(rate.currency.rawValue)
      upsert.bind(Int64(rate.day))
      upsert.bind(rate.picos)
      try upsert.execute()
    }
    let changed = db.totalChangesCount - before
    guard changed > 0 else { return 0 }
    try db.execute(
      sql: "UPDATE ledger_state SET rates_fingerprint = ?", arguments: [read(since: nil, db).fingerprint])
    return changed
  }
}
