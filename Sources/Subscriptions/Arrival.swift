/// How a row came about after what was before it in its line: METRICS §4, Return after a gap.
public enum Arrival: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing was before it.
  case initial
  /// No more than 24 h after the end of what was before.
  case renewal
  /// After a gap of up to 60 days, in which a snapshot showed billing retry or expiration intent 2.
  case recovery
  /// After a gap of up to 60 days of which no snapshot tells whether it was a recovery or a fresh purchase.
  case unattributed
  /// After more than 60 days.
  case reactivation

  /// Whether time without service lies before the row.
  public var isReturn: Bool { self != .initial && self != .renewal }

  init(gap: Int64, sawBillingTrouble: () -> Bool) {
    if gap <= Milliseconds.day {
      self = .renewal
    } else if gap > 60 * Milliseconds.day {
      self = .reactivation
    } else {
      self = sawBillingTrouble() ? .recovery : .unattributed
    }
  }
}

/// The renewal infos of a chain as snapshots: each with the time in which validations showed it.
struct Snapshots {
  private struct Snapshot {
    var from: Instant
    var through: Instant
    var infos: [RenewalInfo]
  }

  private var snapshots: [Snapshot] = []

  /// - Parameters:
  ///   - observations: oldest first.
  ///   - confirmedAt: the last validation that had renewal infos.
  init(_ observations: [RenewalObservation], confirmedAt: Instant?) {
    for observation in observations {
      if snapshots.last?.from == observation.observedAt {
        snapshots[snapshots.count - 1].infos.append(observation.info)
        continue
      }
      if let last = snapshots.indices.last {
        snapshots[last].through = max(snapshots[last].from, observation.observedAfter ?? snapshots[last].from)
      }
      let through = max(observation.observedAt, confirmedAt ?? observation.observedAt)
      snapshots.append(Snapshot(from: observation.observedAt, through: through, infos: [observation.info]))
    }
  }

  /// When what was first seen at an instant was seen last.
  func lastShown(_ observedAt: Instant) -> Instant? { snapshots.first { $0.from == observedAt }?.through }

  /// Whether something that was seen between two instants, neither of them included, says that Apple could not bill the row.
  func showBillingTrouble(of row: Row, after start: Instant, before end: Instant) -> Bool {
    snapshots.contains { snapshot in
      guard snapshot.from < end, snapshot.through > start else { return false }
      let info = snapshot.infos.last { $0.productID == row.productID } ?? snapshot.infos.last
      return info?.isInBillingRetryPeriod == true || info?.expirationIntent == .billingError
    }
  }
}

extension [Row] {
  /// The rows in order, each with how it came about.
  func arrived(snapshots: Snapshots) -> [Row] {
    var rows = self
    var last: Row?
    for index in rows.indices {
      let row = rows[index]
      if let last {
        rows[index].arrival = Arrival(gap: row.purchase - last.effectiveEnd) {
          snapshots.showBillingTrouble(of: last, after: last.effectiveEnd, before: row.purchase)
        }
      }
      if last.map({ $0.effectiveEnd <= row.effectiveEnd }) ?? true { last = row }
    }
    return rows
  }
}
