import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Work of the recording queue: everything that the sweep reads from the store and writes to it.
extension Sweep {
  func begin() {
    dispatchPrecondition(condition: .onQueue(recording))
    attempt {
      let sweep = try store.beginSweep(selection, by: starter, at: mail.started)
      id.withLock { $0 = sweep }
      let free = try store.count(of: selection, at: mail.started).free
      mail.expect(min(free, options.limit ?? free))
      guard let until = try store.notBefore(at: clock(), longest: SweepScheduler.longestSilence) else {
        return
      }
      let (now, elapsed) = (clock(), mail.elapsed)
      ledger.withLock {
        $0.leaveAlone(
          until: until, because: "Retry-After, heard by another sweep", now: now, elapsed: elapsed)
      }
    }
    takeFirst()
    fetch()
    post()
  }

  /// Commits the entries that have come back until none is left, and claims more receipts if there is room.
  func commit() {
    dispatchPrecondition(condition: .onQueue(recording))
    stepBack()
    while true {
      let size = commitSize.withLock { $0.value }
      let batch = ledger.withLock { $0.batch(size) }
      release()
      guard !batch.isEmpty else { break }
      let now = clock()
      let begin = ContinuousClock.now
      attempt {
        let recorded = try store.record(
          batch.map { outcome(of: $0, at: now) }, of: id.withLock { $0 }, at: now
        ) { recorded in
          ledger.withLock {
            $0.summary(once: batch, isRecordedAs: recorded, started: mail.started, elapsed: mail.elapsed)
          }
        }
        ledger.withLock { $0.committed(batch, as: recorded) }
      }
      let took = (ContinuousClock.now - begin) / .milliseconds(1)
      commitSize.withLock { $0.take(batch.count, in: took) }
      if took > CommitSize.target / 2 { store.yieldToListeners() }
      fetch()
      engine.wake()
      post()
    }
    fetch()
    engine.wake()
    post()
  }

  /// Renews the leases and stores the progress.
  func keepAlive() {
    dispatchPrecondition(condition: .onQueue(recording))
    guard let sweep = id.withLock({ $0 }) else { return }
    let progress = ledger.withLock { $0.summary(started: mail.started, elapsed: mail.elapsed) }
    attempt {
      let (elapsed, kept) = try store.keepAlive(sweep, progress: progress, lease: options.lease) {
        (mail.elapsed, clock())
      }
      ledger.withLock { $0.renew(at: elapsed, kept: kept) }
    }
    release()
    engine.wake()
    post()
  }

  func end() -> Result<SweepSummary, SweepError> {
    dispatchPrecondition(condition: .onQueue(recording))
    commit()
    ledger.withLock { $0.settle(at: clock()) }
    commit()
    attempt {
      guard let sweep = id.withLock({ $0 }) else { return }
      let held = try store.countHeld(of: selection, besides: sweep, at: clock())
      ledger.withLock { $0.held = held }
      if ledger.withLock({ !$0.waitingForKey.isEmpty }) {
        let contents = try store.askableContents()
        ledger.withLock { $0.stopAppsWithIDsAlone(contents) }
      }
    }
    post(isLast: true)
    let failure = ledger.withLock { $0.failure }
    var summary = ledger.withLock { $0.summary(started: mail.started, elapsed: mail.elapsed) }
    summary.ended = clock()
    do {
      if let sweep = id.withLock({ $0 }) {
        try store.finish(sweep, summary, failure: failure?.description, at: summary.ended)
      }
    } catch {
      return .failure(failure ?? .store("\(error)"))
    }
    return failure.map(Result.failure) ?? .success(summary)
  }

  func post(isLast: Bool = false) {
    mail.post(isLast: isLast) { elapsed, total in
      ledger.withLock { $0.progress(started: mail.started, elapsed: elapsed, total: total) }
    }
  }

  private func fetch() {
    attempt {
      guard let sweep = id.withLock({ $0 }) else { return }
      while !contents.isExhausted, let size = ledger.withLock({ $0.room(for: Self.page) }) {
        let claim = try store.claim(
          selection, for: sweep, started: mail.started, after: ledger.withLock { $0.cursor }, limit: size,
          bytes: Self.contentBytes, lease: options.lease, at: clock())
        let taken = prepare(claim.receipts)
        ledger.withLock {
          $0.take(taken.jobs, unsendable: taken.unsendable, unaskable: taken.unaskable, of: claim)
        }
        if !taken.unaskable.isEmpty { recording.async { self.commit() } }
      }
    }
    release()
  }

  /// Claims the receipts that are asked about first. Before the sweep has begun, they stay queued.
  func takeFirst() {
    dispatchPrecondition(condition: .onQueue(recording))
    guard let sweep = id.withLock({ $0 }) else { return }
    let selections = first.withLock { first in
      defer { first = [] }
      return first
    }
    for selection in selections {
      var taken = Taken()
      var ids: [ReceiptID] = []
      attempt {
        let claim = try store.claim(
          selection, for: sweep, started: clock(), after: nil, limit: Self.page, bytes: Self.contentBytes,
          lease: options.lease, at: clock())
        taken = prepare(claim.receipts)
        ids = try store.receiptIDs(of: selection, at: clock())
      }
      mail.expect(more: taken.count)
      ledger.withLock {
        $0.putFirst(taken.jobs, unsendable: taken.unsendable, unaskable: taken.unaskable, among: Set(ids))
      }
      if !taken.unaskable.isEmpty { recording.async { self.commit() } }
    }
    release()
    engine.wake()
  }

  private struct Taken {
    var jobs: [SweepJob] = []
    var unsendable: [SweepScheduler.Unsendable] = []
    var unaskable: [SweepScheduler.Pending] = []

    var count: Int { jobs.count + unsendable.count + unaskable.count }
  }

  private func prepare(_ receipts: [DueReceipt]) -> Taken {
    let now = clock()
    var taken = Taken()
    for due in receipts {
      let question = DueQuestion(due, secrets: secrets, serverAPI: serverAPI, ours: options.ourApps)
      switch question.way {
      case .ask(let way):
        taken.jobs.append(SweepJob(due, of: question.app, by: way, options: options, at: now, in: contents))
      case .stop(let reason):
        taken.unsendable.append(.init(id: due.id, app: question.app, reason: reason))
      case .wait: taken.unsendable.append(.init(id: due.id, app: question.app, reason: nil))
      case .nothing:
        let job = SweepJob(due, of: question.app, by: .nothing, options: options, at: now, in: contents)
        taken.unaskable.append(.init(job: job.spent, result: .believed(DueQuestion.nothingToAskWith)))
      }
    }
    return taken
  }

  private func release() {
    let returned = ledger.withLock { $0.takeReturned() }
    guard !returned.isEmpty, let sweep = id.withLock({ $0 }) else { return }
    attempt { try store.release(returned, of: sweep) }
  }

  private func outcome(of entry: SweepScheduler.Pending, at now: Instant) -> ReceiptOutcome {
    let result: ReceiptOutcome.Result =
      switch entry.result {
      case .answer(let answer):
        .answered(answer, status: entry.status ?? 0, isPartial: entry.job.isPartial)
      case .history(let history): .signed(history, isPartial: entry.job.isPartial)
      case .believed(let failing) where failing.kind == .gone: .accountGone
      case .believed(let failing): .rejected(status: entry.status, reason: failing.reason)
      case .later(let failing) where failing.kind == .tooLong:
        .retryLater(
          status: entry.status, reason: failing.reason,
          nextDue: now + Backoff.tooLong.wait(failures: entry.job.history.failures + 1, chance: 1),
          rule: .tooLong)
      case .later(let failing):
        .retryLater(
          status: entry.status, reason: failing.reason,
          nextDue: now
            + Backoff.standard.wait(
              failures: entry.job.history.failures + 1, chance: chance(), retryAfter: failing.retryAfter))
      }
    return ReceiptOutcome(
      receipt: entry.job.receipt, result: result, isLatestRefused: entry.job.isLatestRefused)
  }

  /// Runs `work`. An error ends the sweep, but what was committed remains.
  private func attempt(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      ledger.withLock { $0.end(error as? SweepError ?? .store("\(error)")) }
      engine.stop()
    }
  }
}
