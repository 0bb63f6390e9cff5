extension ReferenceCase {
  private static func element(
    _ intent: String? = nil, retry: Bool? = nil, grace: Double? = nil, product: String = "plus"
  ) -> JSON {
    .object([
      "product_id": .text(product), "expiration_intent": .known(intent),
      "is_in_billing_retry_period": retry.map(JSON.flag) ?? .null,
      "grace_period_expires_date_ms": .known(grace.map { Int($0) * ReferenceModel.day }),
    ])
  }

  private static let month = Row(start: 0, end: 30)
  private static let trial = Row(start: 0, end: 30, kind: "trial")
  private static let started: (Double, String) = (0, "new")

  static let all = gaps + returns + deaths + others

  private static let gaps = [
    ReferenceCase(
      name: "nobody asked", rows: [month], answers: [.init(day: 20, element: element())],
      states: [
        (-1, "none"), (0, "active"), (29, "active"), (30, "overdue"), (89, "overdue"), (90, "overdue"),
      ],
      flows: [started, (30, "to_overdue")], accessEnd: 30, unseen: [30, 89], outcomes: ["pending"]),
    ReferenceCase(
      name: "cancelled, as is known later", rows: [month], answers: [.init(day: 40, element: element("1"))],
      states: [(30, "expired 1"), (40, "expired 1")], flows: [started, (30, "lost 1")], accessEnd: 30),
    ReferenceCase(
      name: "an answer without renewal info gives no reason", rows: [month],
      answers: [.init(day: 40)], states: [(30, "expired"), (40, "expired")],
      flows: [started, (30, "lost unknown")], accessEnd: 30, unseen: [30, 40], outcomes: ["lost"]),
    ReferenceCase(
      name: "retry that goes on for sixty days", rows: [month],
      answers: [.init(day: 31, element: element("2", retry: true))],
      states: [(30, "billing_retry"), (89.9, "billing_retry"), (90, "expired 2")],
      flows: [started, (30, "to_retry"), (90, "lost 2")], accessEnd: 30),
    ReferenceCase(
      name: "retry until a snapshot that says otherwise", rows: [month],
      answers: [
        .init(day: 31, element: element(retry: true)), .init(day: 40), .init(day: 50, element: element("1")),
      ],
      states: [(30, "billing_retry"), (49.9, "billing_retry"), (50, "expired 1")],
      flows: [started, (30, "to_retry"), (50, "lost 1")], accessEnd: 30, outcomes: ["lost"]),
    ReferenceCase(
      name: "grace that a later snapshot does not take back", rows: [month],
      answers: [
        .init(day: 29, element: element(grace: 46)), .init(day: 31, element: element("2", retry: true)),
      ],
      states: [(30, "grace"), (45.9, "grace"), (46, "billing_retry")],
      flows: [started, (46, "to_retry")], accessEnd: 46),
    ReferenceCase(
      name: "a trial in grace is a trial", rows: [trial],
      answers: [.init(day: 31, element: element("2", grace: 36))],
      states: [(29, "trial"), (30, "grace"), (36, "expired 2")],
      flows: [(0, "trial_started"), (36, "trial_lost 2")], accessEnd: 36),
  ]

  private static let returns = [
    ReferenceCase(
      name: "bridged", rows: [month, .init(start: 31, end: 61)], answers: [.init(day: 40)],
      states: [(30.5, "active"), (31, "active")], flows: [started], accessEnd: 61,
      outcomes: ["renewed", "lost"]),
    ReferenceCase(
      name: "a bridge that is dead from its purchase",
      rows: [month, .init(start: 31, end: 61, cancelled: 31)], answers: [.init(day: 40)],
      states: [(30.5, "expired"), (31, "revoked"), (40, "revoked")],
      flows: [started, (30, "lost unknown")], accessEnd: 31, unseen: [30.5]),
    ReferenceCase(
      name: "back after sixty days, unseen", rows: [month, .init(start: 90, end: 120)],
      answers: [.init(day: 100)], states: [(30, "unattributed"), (89, "unattributed"), (90, "active")],
      flows: [started, (30, "to_unattributed"), (90, "returned")], accessEnd: 120, unseen: [30, 89],
      outcomes: ["recovered", "lost"]),
    ReferenceCase(
      name: "back after more than sixty days", rows: [month, .init(start: 90.001, end: 120)],
      answers: [.init(day: 100)], states: [(30, "expired"), (91, "active")],
      flows: [started, (30, "lost unknown"), (90.001, "resubscribed")], accessEnd: 120, unseen: [30],
      outcomes: ["lost", "lost"]),
    ReferenceCase(
      name: "recovered", rows: [month, .init(start: 50, end: 80)],
      answers: [.init(day: 31, element: element("2", retry: true)), .init(day: 51, element: element())],
      states: [(30, "billing_retry"), (49, "billing_retry"), (50, "active")],
      flows: [started, (30, "to_retry"), (50, "recovered")], accessEnd: 80, outcomes: ["recovered", "lost"]),
    ReferenceCase(
      name: "paid out of grace, more than a day late", rows: [month, .init(start: 33, end: 63)],
      answers: [
        .init(day: 31, element: element("2", retry: true, grace: 46)), .init(day: 34, element: element()),
      ],
      states: [(30, "grace"), (32, "grace"), (33, "active")], flows: [started], accessEnd: 63,
      outcomes: ["recovered", "lost"]),
    ReferenceCase(
      name: "a recovery that nothing but its notification tells", rows: [month, .init(start: 50, end: 80)],
      answers: [.init(day: 50, element: element())],
      notices: [(50, "DID_RENEW", "BILLING_RECOVERY", 2)],
      states: [(30, "billing_retry"), (49, "billing_retry"), (50, "active")],
      flows: [started, (30, "to_retry"), (50, "recovered")], accessEnd: 80, outcomes: ["recovered", "lost"]),
    ReferenceCase(
      name: "a reason that the subtype alone tells", rows: [month],
      answers: [.init(day: 31, element: element())], notices: [(31, "EXPIRED", "PRICE_INCREASE", 1)],
      states: [(30, "expired 3"), (40, "expired 3")], flows: [started, (30, "lost 3")], accessEnd: 30),
    ReferenceCase(
      name: "a trial that is paid out of retry", rows: [trial, .init(start: 50, end: 80)],
      answers: [.init(day: 31, element: element("2", retry: true)), .init(day: 51)],
      states: [(30, "billing_retry"), (50, "active")],
      flows: [(0, "trial_started"), (30, "trial_to_retry"), (50, "converted")], accessEnd: 80),
    ReferenceCase(
      name: "a trial that is paid for long after", rows: [trial, .init(start: 100, end: 130)],
      answers: [.init(day: 40, element: element("1")), .init(day: 101)],
      states: [(30, "expired 1"), (100, "active")],
      flows: [(0, "trial_started"), (30, "trial_lost 1"), (100, "converted")], accessEnd: 130),
  ]

  private static let deaths = [
    ReferenceCase(
      name: "refunded", rows: [.init(start: 0, end: 30, cancelled: 10)], answers: [.init(day: 20)],
      states: [(9, "active"), (10, "revoked"), (20, "revoked")], flows: [started, (10, "lost refunded")],
      accessEnd: 10),
    ReferenceCase(
      name: "a refunded row outlasts the one before",
      rows: [month, .init(start: 30, end: 60, cancelled: 40)],
      answers: [.init(day: 41, element: element("1"))],
      states: [(39, "active"), (40, "revoked"), (70, "revoked")],
      flows: [started, (40, "lost refunded")], accessEnd: 40),
    ReferenceCase(
      name: "refunded while it is away", rows: [.init(start: 0, end: 30, cancelled: 35)],
      answers: [.init(day: 31, element: element(retry: true)), .init(day: 36)],
      states: [(30, "billing_retry"), (35, "revoked")],
      flows: [started, (30, "to_retry"), (35, "lost refunded")], accessEnd: 30),
    ReferenceCase(
      name: "dead from its purchase", rows: [.init(start: 0, end: 30, cancelled: 0)],
      answers: [.init(day: 20)], states: [(-1, "none"), (0, "revoked")], flows: [], accessEnd: 0),
  ]

  private static let others = [
    ReferenceCase(
      name: "upgraded, and down again",
      rows: [
        .init(start: 0, end: 30, isUpgraded: true), .init(start: 10, end: 40, product: "pro"),
        .init(start: 40, end: 70),
      ], answers: [.init(day: 41)], states: [(9, "active"), (10, "active"), (41, "active")],
      flows: [started, (10, "expansion"), (40, "contraction")], accessEnd: 70),
    ReferenceCase(
      name: "to a product of another currency", rows: [month, .init(start: 30, end: 60, product: "euro")],
      answers: [.init(day: 41)], states: [(41, "active")], flows: [started, (30, "exchange")], accessEnd: 60),
    ReferenceCase(
      name: "the account is gone, as nobody asked", rows: [month],
      answers: [.init(day: 20, element: element(grace: 46))], goneAt: 50,
      states: [(29, "active"), (30, "expired"), (50, "expired")], flows: [started, (30, "lost unknown")],
      accessEnd: 30, unseen: [30, 50]),
    ReferenceCase(
      name: "the account is gone in retry", rows: [month],
      answers: [
        .init(day: 31, element: element("2", retry: true)), .init(day: 40, element: element("1")),
      ], goneAt: 50, states: [(30, "expired"), (45, "expired")], flows: [started, (30, "lost unknown")],
      accessEnd: 30),
    ReferenceCase(
      name: "an account that was gone answers again", rows: [month],
      answers: [.init(day: 31, element: element("2", retry: true)), .init(day: 52)], goneAt: 50,
      states: [(30, "billing_retry"), (52, "billing_retry")], flows: [started, (30, "to_retry")],
      accessEnd: 30),
    ReferenceCase(
      name: "lost before the account was gone", rows: [month],
      answers: [.init(day: 40, element: element("1"))],
      goneAt: 50, states: [(30, "expired 1"), (50, "expired 1")], flows: [started, (30, "lost 1")],
      accessEnd: 30),
  ]
}
