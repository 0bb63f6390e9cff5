import GRDB
import Subscriptions

extension Tallied {
  /// METRICS §2, User: how many have a line in grace or in billing retry, whatever the product.
  func holders(_ asking: Asking) throws -> [LineState: Int] {
    let stretch = TallyBook.Stretch(family: .holder, after: nil, through: asking.question.at)
    // Those of all environments together are of none.
    let sums = try book.sums([stretch], scope: .all)[0]
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
