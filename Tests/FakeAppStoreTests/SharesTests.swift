import FakeAppStore
import Subscriptions
import Testing

/// What part of the people is where, so that no panel is empty.
struct Share: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Thousandths of the population.
  let band: ClosedRange<Int>
  let holds: @Sendable (Person) -> Bool

  init(_ name: String, _ band: ClosedRange<Int>, _ holds: @escaping @Sendable (Person) -> Bool) {
    (testDescription, self.band, self.holds) = (name, band, holds)
  }

  static let all = [
    Share("active paid", 480...600) { $0.verdicts.contains { $0.state == .active } },
    Share("trial", 40...75) { $0.verdicts.contains { $0.state == .trial } },
    Share("grace", 10...30) { $0.verdicts.contains { $0.state == .grace } },
    Share("billing retry", 25...55) { $0.verdicts.contains { $0.state == .billingRetry } },
    Share("expired", 200...330) { $0.verdicts.contains { $0.state == .expired } },
    Share("refunded in 28 days", 14...35) { person in
      person.rows.contains { $0.isRefund && recent.contains($0.refundedAt ?? .distantPast) }
    },
    Share("upgraded in 28 days", 12...32) { person in
      person.rows.contains { recent.contains($0.upgrade?.instant ?? .distantPast) }
    },
    Share("lapsed in 28 days", 20...70) { person in
      person.verdicts.contains { $0.state == .expired && recent.contains($0.accessUntil) }
    },
  ]

  static let recent = Town.now - 28 * Milliseconds.day...Town.now
}

@Suite struct SharesTests {
  @Test("At the founding", arguments: Share.all)
  func isWithinItsBand(_ share: Share) {
    let found = Town.purchased.filter(share.holds).count * 1000 / Town.population.count
    #expect(share.band.contains(found), "\(found) of a thousand")
  }

  @Test("Half a year later the town is still alive", arguments: [Share.all[0], Share.all[2], Share.all[3]])
  func livesOn(_ share: Share) {
    let later = Town.now + 180 * Milliseconds.day
    let found = (0..<1000).map { Person(Town.population[$0], at: later) }.filter(share.holds).count
    #expect(found > share.band.lowerBound / 2, "\(found) of a thousand")
  }

  @Test("Customers who left outnumber the other reasons in their order")
  func reasonsAreInOrder() {
    let verdicts = Town.purchased.flatMap(\.verdicts).filter { $0.state == .expired }
    let counts = ["1", "2", "3", "4", "5"].map { raw in
      verdicts.filter { $0.expirationIntent?.rawValue == raw }.count
    }
    #expect(counts[0] > counts[1] && counts[1] > 2 * counts[2] && counts[1] > 2 * counts[3])
    #expect(counts.allSatisfy { $0 > 10 })
  }
}
