import GRDB
import Subscriptions

extension Tallied {
  /// METRICS §2, User: how many have a line in grace or in billing retry, whatever the product.
  func holders(_ asking: Asking) throws -> [LineState: Int] {
    let t = asking.question.at
    var sums = try book.sums([.init(family: .holder, from: nil, until: minute(of: t))])[0]
    let edge = try FetchedRow.fetchAll(
      asking.db.cachedStatement(
        sql: """
          SELECT environment, state, level, 1 FROM failing_holders WHERE from_ms >= :start AND from_ms <= :t
          UNION ALL
          SELECT environment, state, level, -1 FROM failing_holders WHERE until_ms >= :start AND until_ms <= :t
          """), arguments: ["start": minuteStart(of: t), "t": t])
    for row in edge {
      let key = TallyKey.holder(row[1], in: StoreEnvironment(row[0] as String))
      let sign: Int64 = row[3]
      sums.add(book.keys.known(key), TallyValue(count: row[2] as Int > 1 ? -sign : sign))
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
