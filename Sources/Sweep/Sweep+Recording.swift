import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Work on the recording queue, the only queue that uses the store.
extension Sweep {
  func begin() {
    dispatchPrecondition(condition: .onQueue(recording))
    attempt {
      let sweep = try store.beginSweep(selection, by: starter, at: started)
      id.withLock { $0 = sweep }
      let free = try store.count(of: selection, at: started).free
      ledger.withLock { $0.total = min(free, options.limit ?? free) }
      guard let until = try store.notBefore(at: clock(), longest: SweepScheduler.longestSilence) else {
        return
      }
      let (now, elapsed) = (clock(), stopwatch.elapsed)
      ledger.withLock {
        $0.leaveAlone(
          until: until, because: "Retry-After, received by another sweep", now: now, elapsed: elapsed)
      }
    }
    takeFirst()
    fetch()
    post()
  }

  /// Commits one batch of pending results, and claims more receipts.
  ///
  /// Each batch is a task of its own, so that progress is posted and leases are renewed between batches.
  func commit() {
    if commitBatch() { recording.async { self.commit() } }
    fetch()
    engine.wake()
  }

  private func commitBatch() -> Bool {
    dispatchPrecondition(condition: .onQueue(recording))
    stepBack()
    let batch = ledger.withLock { $0.batch(Self.commitSize) }
    guard !batch.isEmpty else { return false }
    let (now, begin) = (clock(), stopwatch.elapsed)
    attempt {
      let recorded = try store.record(batch.map(\.outcome), of: id.withLock { $0 }, at: now) { recorded in
        var later = ledger.withLock { $0 }
        later.committed(batch, as: recorded)
        return later.summary(started: started, elapsed: stopwatch.elapsed)
      }
      ledger.withLock { $0.committed(batch, as: recorded) }
    }
    if stopwatch.elapsed - begin > 15 { store.yieldToListeners() }
    return true
  }

  func keepAlive() {
    dispatchPrecondition(condition: .onQueue(recording))
    guard let sweep = id.withLock({ $0 }) else { return }
    let progress = ledger.withLock { $0.summary(started: started, elapsed: stopwatch.elapsed) }
    attempt {
      let (elapsed, kept) = try store.keepAlive(sweep, progress: progress, lease: options.lease) {
        (stopwatch.elapsed, clock())
      }
      ledger.withLock { $0.renew(at: elapsed, kept: kept) }
    }
    fetch()
    engine.wake()
  }

  func end() -> Result<SweepSummary, SweepError> {
    dispatchPrecondition(condition: .onQueue(recording))
    while commitBatch() {}
    ledger.withLock { $0.settle(now: clock(), chance: chance) }
    while commitBatch() {}
    attempt {
      guard ledger.withLock({ !$0.waitingForKey.isEmpty }) else { return }
      let contents = try store.askableContents()
      ledger.withLock { $0.stopAppsWithIDsAlone(contents) }
    }
    post()
    let failure = ledger.withLock { $0.failure }
    var summary = ledger.withLock { $0.summary(started: started, elapsed: stopwatch.elapsed) }
    summary.ended = clock()
    do {
      if let sweep = id.withLock({ $0 }) {
        try store.finish(sweep, summary, failure: failure?.description, at: summary.ended)
        // This sweep's leases have ended, so any remaining leases belong to other sweeps.
        summary.held = try store.count(of: selection, at: summary.ended).held
      }
    } catch {
      return .failure(failure ?? .store("\(error)"))
    }
    return failure.map(Result.failure) ?? .success(summary)
  }

  func post() {
    watcher(.progress(ledger.withLock { $0.progress(started: started, elapsed: stopwatch.elapsed) }))
  }

  private func fetch() {
    attempt {
      guard let sweep = id.withLock({ $0 }) else { return }
      while let size = ledger.withLock({ $0.room(for: Self.page) }) {
        let (claim, receipts) = try claim(
          selection, for: sweep, started: started, after: ledger.withLock { $0.cursor }, limit: size)
        ledger.withLock { $0.take(claim, receipts) }
      }
    }
    commitSoon()
  }

  /// Claims the receipts of hastened selections; does nothing until the sweep is recorded in the store.
  func takeFirst() {
    dispatchPrecondition(condition: .onQueue(recording))
    guard let sweep = id.withLock({ $0 }) else { return }
    while let selection = ledger.withLock({ $0.hastened.first }) {
      var receipts: [ClaimedReceipt] = []
      var ids: [ReceiptID] = []
      attempt {
        (_, receipts) = try claim(selection, for: sweep, started: clock(), limit: Self.page)
        ids = try store.receiptIDs(of: selection, at: clock())
      }
      ledger.withLock { $0.putFirst(receipts, among: Set(ids)) }
    }
    commitSoon()
    engine.wake()
  }

  private func claim(
    _ selection: SweepSelection, for sweep: SweepID, started: Instant, after cursor: ClaimCursor? = nil,
    limit: Int
  ) throws -> (Claim, [ClaimedReceipt]) {
    let now = clock()
    let claim = try store.claim(
      selection, for: sweep, started: started, after: cursor, limit: limit, bytes: options.bytesInMemory,
      lease: options.lease, at: clock())
    let receipts = claim.receipts.map {
      ClaimedReceipt($0, secrets: secrets, serverAPI: serverAPI, options: options, at: now)
    }
    return (claim, receipts)
  }

  private func commitSoon() {
    if ledger.withLock({ $0.beginCommitting() }) { recording.async { self.commit() } }
  }

  /// Runs `work`; an error ends the sweep, but earlier commits remain.
  private func attempt(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      ledger.withLock { $0.end(error as? SweepError ?? .store("\(error)")) }
      engine.stop()
    }
  }
}
