import GRDB
import Subscriptions

extension Tallied {
  /// METRICS §2, User: how many have a line in grace or in billing retry, whatever the product.
  func holders(_ asking: Asking) throws -> [LineState: Int] {
    let t = asking.question.at
    // Those of all environments together are of none.
    var sums = try book.sums([.init(family: .holder, from: nil, until: minute(of: t) + 1)], scope: .all)[0]
    // What the sums tell of the rest of the minute is taken off.
    let edge = try FetchedRow.fetchAll(
      asking.db.cachedStatement(
        sql: """
          SELECT environment, state, sum(iif(level > 1, -change, change)) FROM (
            SELECT environment, state, level, -1 AS change FROM failing_holders WHERE from_ms > :t AND from_ms <= :end
            UNION ALL
            SELECT environment, state, level, 1 FROM failing_holders WHERE until_ms > :t AND until_ms <= :end)
          GROUP BY environment, state
          """), arguments: ["t": t, "end": minuteStart(of: t) + (Milliseconds.minute - 1)])
    for row in edge {
      let key = TallyKey.holder(row[1], in: StoreEnvironment(row[0] as String))
      sums.add(book.keys.known(key), TallyValue(count: row[2]))
    }
    var users: [LineState: Int] = [:]
    for (known, value) in sums where asking.question.environment.contains(known.key.environment) {
      if let state = LineState(rawValue: known.key.detail) { users[state, default: 0] += Int(value.count) }
    }
    return users
  }
}

extension TallyKey {
  static func holder(_ state: String, in environment: StoreEnvironment) -> TallyKey {
    TallyKey(.holder, environment, detail: state)
  }
}
