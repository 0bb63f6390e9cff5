/// Everything that a line adds to figures.
public struct LineTallies: Hashable, Sendable {
  public var marks: [TallyMark] = []
  public var failings: [FailingSpell] = []
  public var turns: [Turn] = []
  /// Until when the line has access, where it has without a gap from its last validation on; nil where there is a gap.
  public var accessUntil: Instant?
  /// When the last period begins, where it was bought ahead and nothing else is to come.
  public var renewedAheadAt: Instant?
}

/// A stretch of time in which a line is in grace or in billing retry.
public struct FailingSpell: Hashable, Sendable {
  public var from: Instant
  /// First instant after it.
  public var until: Instant
  /// Of the row that expired.
  public var expires: Instant
  public var key: TallyKey
}

extension Line {
  /// - Parameter catalog: tells what renewals would cost.
  public func tallies(catalog: Catalog) -> LineTallies {
    var tallies = LineTallies()
    guard let begun = rows.first?.purchase else { return tallies }
    if isFamilyShared {
      tallies.marks = [TallyMark(begun, TallyKey(.shared, id.environment))]
      return tallies
    }
    let judgements = self.judgements
    addStates(judgements, to: &tallies)
    addAccess(judgements, to: &tallies)
    addFailings(judgements, to: &tallies)
    addTurns(pendings(judgements), to: &tallies)
    addLosses(judgements, to: &tallies)
    addEnd(judgements, catalog: catalog, to: &tallies)
    for row in rows {
      tallies.marks += row.marks(in: id.environment, app: bundleID)
    }
    return tallies
  }

  private func addStates(_ judgements: [Judgement], to tallies: inout LineTallies) {
    let observed = renewals.map(\.observedAt).min()
    var last: (until: Instant, key: TallyKey, value: TallyValue)?
    func end() {
      guard let last, last.until < .distantFuture else { return }
      tallies.marks.append(TallyMark(last.until, last.key, -last.value))
    }
    for judgement in judgements {
      for (from, until, isUnobserved) in judgement.parts(observed: observed) {
        let (key, value) = judgement.standing(in: id.environment, isUnobserved: isUnobserved)
        if let before = last, before.until == from, before.key == key, before.value == value {
          last?.until = until
          continue
        }
        end()
        tallies.marks.append(TallyMark(from, key, value))
        last = (until, key, value)
      }
    }
    end()
  }

  /// METRICS §4, Freshness.
  private func addAccess(_ judgements: [Judgement], to tallies: inout LineTallies) {
    var spells: [(from: Instant, until: Instant)] = []
    for judgement in judgements where judgement.state.hasAccess {
      if let last = spells.last, last.until == judgement.from {
        spells[spells.count - 1].until = judgement.until
      } else {
        spells.append((judgement.from, judgement.until))
      }
    }
    let stale = validatedAt.map { $0 + Milliseconds.day } ?? .distantPast
    let key = TallyKey(.fresh, id.environment)
    for spell in spells where spell.from < stale {
      tallies.marks.append(TallyMark(spell.from, key))
      tallies.marks.append(TallyMark(min(spell.until, stale), key, TallyValue(count: -1)))
    }
    guard let validatedAt else { return }
    let ahead = spells.filter { $0.until > validatedAt }
    if ahead.isEmpty {
      tallies.accessUntil = .distantPast
    } else if ahead.count == 1, ahead[0].from <= validatedAt + Milliseconds.day {
      tallies.accessUntil = ahead[0].until
    }
  }

  private func addFailings(_ judgements: [Judgement], to tallies: inout LineTallies) {
    for judgement in judgements where judgement.state == .grace || judgement.state == .billingRetry {
      let key = judgement.failingKey(in: id.environment)
      let (last, expires) = (tallies.failings.last, judgement.current.expires)
      if let last, last.until == judgement.from, last.key == key, last.expires == expires {
        tallies.failings[tallies.failings.count - 1].until = judgement.until
      } else {
        tallies.failings.append(
          FailingSpell(from: judgement.from, until: judgement.until, expires: expires, key: key))
      }
    }
  }

  private func addTurns(_ spells: [AnchoredSpell], to tallies: inout LineTallies) {
    let turns = spells.flatMap(\.turns)
    tallies.turns += turns
    tallies.marks += turns.flatMap(\.marks)
  }

  /// Periods that came due and may yet be paid for.
  private func pendings(_ judgements: [Judgement]) -> [AnchoredSpell] {
    var spells: [AnchoredSpell] = []
    for judgement in judgements where [.overdue, .grace, .billingRetry].contains(judgement.state) {
      guard judgement.current.outcome == .unrenewed else { continue }
      spells.join(
        AnchoredSpell(
          from: judgement.from, until: judgement.until, anchor: judgement.current.expires,
          key: TallyKey(.pending, id.environment, product: judgement.current.productID, detail: "pending")))
    }
    return spells
  }

  /// Stretches in which the line was lost, by when access ended.
  private func addLosses(_ judgements: [Judgement], to tallies: inout LineTallies) {
    var paid: [Leaving.Paid] = []
    var spells: [AnchoredSpell] = []
    for judgement in judgements {
      if judgement.state == .active {
        if let last = paid.last, last.until == judgement.from {
          paid[paid.count - 1].until = judgement.until
        } else {
          paid.append(.init(from: judgement.from, until: judgement.until))
        }
      }
      guard judgement.state == .expired || judgement.state == .revoked else { continue }
      spells.join(
        AnchoredSpell(
          from: judgement.from, until: judgement.until, anchor: judgement.accessEnd,
          key: judgement.lossKey(in: id.environment),
          paidBefore: judgement.countedRow.kind.isPaid ? paid.count : 0))
    }
    addTurns(spells, to: &tallies)
    tallies.marks += spells.flatMap { $0.leavingMarks(paid, in: id.environment) }
  }

  /// The last period, if it is one that runs until its expiry: what comes due by the latest that is known.
  private func addEnd(_ judgements: [Judgement], catalog: Catalog, to tallies: inout LineTallies) {
    guard let last = judgements.last(where: { $0.phase.until == .distantFuture && $0.state.isRunning })
    else { return }
    let renewal = renewalInfo(for: last.current, at: .distantFuture)
    tallies.marks.append(last.endMark(renewal: renewal, in: id.environment, catalog: catalog))
    addEndAhead(judgements, before: last, catalog: catalog, to: &tallies)
  }

  /// The period before it, where that one runs to the end. One that would end with its successor in one horizon is left to a look
  /// at the line.
  private func addEndAhead(
    _ judgements: [Judgement], before last: Judgement, catalog: Catalog, to tallies: inout LineTallies
  ) {
    let longest = Int64(DueFigures.horizons.max() ?? 0) * Milliseconds.day
    guard let validatedAt, let running = judgements.last(where: { $0.until == last.phase.from }),
      running.until > validatedAt, running.until == running.current.expires,
      last.current.expires - running.until >= longest,
      judgements.allSatisfy({ $0.phase != running.phase || $0.until <= validatedAt || $0.state.isRunning })
    else { return }
    let renewal = renewalInfo(for: running.current, at: .distantFuture)
    var mark = running.endMark(renewal: renewal, in: id.environment, catalog: catalog)
    mark.key.family = .endAhead
    tallies.marks.append(mark)
    tallies.renewedAheadAt = running.until
  }
}

extension LineState {
  /// METRICS §3, the column *access*.
  public var hasAccess: Bool { self == .trial || self == .active || self == .grace }
  /// Whether a period of the line runs.
  public var isRunning: Bool { self == .trial || self == .active }
}

extension Judgement {
  /// Where nobody had observed the chain yet, whether the line is in grace or in billing retry is unknown for 60 days.
  fileprivate func parts(observed: Instant?) -> [(from: Instant, until: Instant, isUnobserved: Bool)] {
    guard let observed, phase.isLive, from >= current.expires,
      from < current.expires + billingRetryMilliseconds, from < observed
    else { return [(from, until, false)] }
    // Both instants cut the line's judgements.
    return [(from, until, true)]
  }
}
