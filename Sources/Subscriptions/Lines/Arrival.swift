/// Kind of a purchase, by the line's state just before the purchase (METRICS §5).
public enum Arrival: String, Hashable, Sendable, Codable, CaseIterable {
  case initial
  case renewal
  case recovery
  /// The line was not validated between its expiry and this purchase.
  case unattributed
  case reactivation

  public var isReturn: Bool { self != .initial && self != .renewal }

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
  /// Sets arrivals of rows bought after `start`, and the outcome `recovered` of rows expired after `start`.
  mutating func markArrivals(since start: Instant = .distantPast) {
    guard let first = rows.firstIndex(where: { $0.purchase > start }) else { return }
    let states = rows.indices.map { $0 < first ? nil : timeline.position(at: rows[$0].purchase - 1)?.state }
    for place in first..<rows.endIndex {
      // A row bought at the same instant as the first row is a renewal.
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
