/// How a row came about, by where its line stood just before: METRICS §5.
public enum Arrival: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing was before it.
  case initial
  /// The line had access.
  case renewal
  /// The line was in billing retry.
  case recovery
  /// Nobody had asked how the line was since it had expired.
  case unattributed
  /// The line was out.
  case reactivation

  /// Whether time without service lies before the row.
  public var isReturn: Bool { self != .initial && self != .renewal }

  /// - Parameter state: nil before the first purchase.
  init(after state: LineState?) {
    self =
      switch state {
      case nil: .initial
      case .trial?, .active?, .grace?: .renewal
      case .billingRetry?: .recovery
      case .unattributed?, .overdue?: .unattributed
      case .expired?, .revoked?: .reactivation
      }
  }
}

extension Line {
  /// Says of each row how it came about, and of those that nothing renewed in time whether they were paid for after all: METRICS §5,
  /// Renewals, Recovered.
  ///
  /// - Parameter start: what the rows are that were bought until then, and what those expired until then, nobody asks.
  mutating func markArrivals(since start: Instant = .distantPast) {
    guard let first = rows.firstIndex(where: { $0.purchase > start }) else { return }
    let states = rows.indices.map { $0 < first ? nil : timeline.position(at: rows[$0].purchase - 1)?.state }
    for place in first..<rows.endIndex {
      // What was bought in the same instant as the first row takes part in nothing new.
      rows[place].arrival = place > 0 && states[place] == nil ? .renewal : Arrival(after: states[place])
    }
    for place in rows.indices where rows[place].outcome == .unrenewed && rows[place].expires > start {
      let expires = rows[place].expires
      guard
        let next = (place + 1..<rows.endIndex).first(where: {
          rows[$0].purchase > expires && !rows[$0].isDead(at: rows[$0].purchase)
        }), rows[next].purchase <= expires + billingRetryMilliseconds
      else { continue }
      if [.grace, .billingRetry, .unattributed].contains(states[next]) { rows[place].outcome = .recovered }
    }
  }
}
