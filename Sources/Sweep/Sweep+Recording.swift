import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// What happens on the recording queue: all of the sweep's reading and writing of the store.
extension Sweep {
  func begin() {
    dispatchPrecondition(condition: .onQueue(recording))
    attempt {
      let all = try store.count(of: selection, at: mail.started)
      mail.expect(min(all, options.limit ?? all))
    }
    fetch()
    post()
  }

  /// Commits what has come back, until there is nothing more, and reads on where there is room.
  func commit() {
    dispatchPrecondition(condition: .onQueue(recording))
    while true {
      let batch = ledger.withLock { $0.batch(Self.page) }
      guard !batch.isEmpty else { break }
      let now = clock()
      attempt {
        let recorded = try store.record(batch.map { outcome(of: $0, at: now) }, at: now)
        ledger.withLock { $0.committed(batch, as: recorded) }
      }
      fetch()
      engine.wake()
      post()
    }
  }

  func end() -> Result<SweepSummary, SweepError> {
    dispatchPrecondition(condition: .onQueue(recording))
    commit()
    post(isLast: true)
    let (counts, stop, failure) = ledger.withLock { ($0.counts, $0.stop, $0.failure) }
    if let failure { return .failure(failure) }
    let summary = SweepSummary(started: mail.started, elapsed: mail.elapsed, counts: counts, stopped: stop)
    do {
      try store.record(summary, finishedAt: clock())
      return .success(summary)
    } catch {
      return .failure(.store("\(error)"))
    }
  }

  private func post(isLast: Bool = false) {
    let (counts, inFlight) = ledger.withLock { ($0.counts, $0.inFlight) }
    mail.post(counts, inFlight: inFlight, isLast: isLast)
  }

  /// Reads on where there is room.
  private func fetch() {
    attempt {
      while let size = ledger.withLock({ $0.room(for: Self.page) }) {
        let last = ledger.withLock { $0.cursor }
        let due = try store.receipts(selection, at: mail.started, after: last, limit: size)
        let jobs = try due.map(job)
        ledger.withLock { $0.take(jobs, isLast: due.count < size) }
      }
    }
  }

  private func job(_ due: DueReceipt) throws -> SweepJob {
    guard let secret = secrets.secret(for: due.bundleID) else { throw SweepError.noSecret(due.bundleID) }
    return try SweepJob(due, secret: secret)
  }

  private func outcome(of entry: SweepLedger.Pending, at now: Instant) -> ReceiptOutcome {
    let result: ReceiptOutcome.Result =
      switch entry.finding {
      case .answer(let answer): .answered(answer, status: entry.status ?? 0)
      case .accountGone: .accountGone
      case .rejected(let reason): .rejected(status: entry.status, reason: reason)
      case .later(let reason, let retryAfter):
        .retryLater(
          status: entry.status, reason: reason,
          nextDue: now
            + options.backoff.wait(
              failures: entry.job.context.failures + 1, chance: chance(), retryAfter: retryAfter))
      }
    return ReceiptOutcome(receipt: entry.job.receipt, result: result)
  }

  /// An error of the store or of the configuration ends the sweep; what was committed stays.
  private func attempt(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      ledger.withLock { $0.end(error as? SweepError ?? .store("\(error)")) }
      engine.stop()
    }
  }
}
