import Subscriptions

extension SweepScheduler {
  /// Number of first transfers that must fail to connect before the App Store counts as unreachable.
  static let fewestUnreached = 5
  /// Maximum number of receipts that a summary names.
  static let mostNamed = 10
  /// Longest `Retry-After` that a sweep waits for, in milliseconds. A longer one ends it.
  static let longestPause = 2 * Milliseconds.minute
  /// Longest `Retry-After` in milliseconds that other sweeps obey, in case of an erroneous header.
  static let longestSilence = Milliseconds.hour

  /// - Parameters:
  ///   - now: time of the program's clock, for intervals of days.
  ///   - elapsed: milliseconds since the sweep began.
  ///   - chance: position in its range of the wait before another attempt, 0 to below 1.
  mutating func judge(
    _ job: SweepJob, _ classification: ResponseClassification, now: Instant, elapsed: Int64, chance: Double
  ) -> Step {
    unjudged -= 1
    breakers.land(job.app)
    count(job, classification, at: now)
    if let original = job.original(after: classification.outcome) {
      succeed(classification, at: elapsed)
      putNext(original)
      if breakers.isStopped(job.app) { drop(job.app) }
      return .goOn
    }
    switch classification.outcome {
    case .secretRefused:
      return refuse(
        job, classification, FailedAttempt(.puzzling, "21004: the shared secret does not match"), at: elapsed)
    case .keyRefused(let ahead):
      let key = job.context.questions.map {
        StoppedApp.RefusedKey(keyID: $0.key.keyID, clockAheadMs: ahead)
      }
      return refuse(
        job, classification, FailedAttempt(.puzzling, "HTTP 401: the Server API's key is refused"), key: key,
        at: elapsed
      )
    case .unfinished:
      succeed(classification, at: elapsed)
      if classification.questions?.isSigned == true { breakers.trust(job.app) }
      pending += breakers.accept(job.app)
      putNext(classification.questions.map(job.continued) ?? job)
      if breakers.isStopped(job.app) { drop(job.app) }
      return .goOn
    case .history(let history):
      succeed(classification, at: elapsed)
      breakers.noteAnswered(job.app)
      if !history.rows.isEmpty { breakers.trust(job.app) }
      take(nil, at: now)
      pending += breakers.accept(job.app)
      return keep(Pending(job: job, result: .history(history), status: 0, held: classification.held))
    case .elsewhere(let environment):
      succeed(classification, at: elapsed)
      if !job.hasMoved { counts.rerouted += 1 }
      putNext(job.rerouted(to: environment))
      if breakers.isStopped(job.app) { drop(job.app) }
      return .goOn
    case .answer(let answer):
      succeed(classification, at: elapsed)
      take(nil, at: now)
      pending += breakers.accept(job.app)
      return keep(
        Pending(job: job, result: .answer(answer), status: classification.status, held: classification.held))
    case .failed(let failing):
      take(failing.kind, at: now)
      let entry = Pending(job: job, result: .later(failing), status: classification.status)
      if classification.transport?.isUnreachable == true, !isReached {
        pace.take(.trouble, at: elapsed)
        return keepBack(entry)
      }
      isReached = true
      if let kind = failing.kind.distrust, job.tries == 1 {
        breakers.distrust(job.app, because: failing.reason, as: kind)
        if breakers.isStopped(job.app) { drop(job.app) }
      }
      return fail(entry, failing, now: now, elapsed: elapsed, chance: chance)
    }
  }

  private mutating func take(_ kind: FailedAttempt.Kind?, at now: Instant) {
    failures.take(kind)
    if failures.isTelling { settleDoubted(at: now) }
  }

  func isBelievable(
    _ failing: FailedAttempt, of job: SweepJob, isBurst: Bool, at now: Instant
  ) -> Bool {
    options.giveUpPolicy.isExhausted(by: failing, after: job.history, isBurst: isBurst, at: now)
  }

  private mutating func succeed(_ classification: ResponseClassification, at elapsed: Int64) {
    isReached = true
    outage.succeed(at: elapsed)
    if let latency = classification.latency { pace.take(.answered(latency: latency), at: elapsed) }
  }

  private mutating func refuse(
    _ job: SweepJob, _ classification: ResponseClassification, _ failing: FailedAttempt,
    key: StoppedApp.RefusedKey? = nil,
    at elapsed: Int64
  ) -> Step {
    succeed(classification, at: elapsed)
    let entry = Pending(job: job, result: .later(failing), status: classification.status)
    if let untouched = breakers.refuse(job.app, entry, key: key) {
      outstanding -= untouched.count
      giveBack(untouched.map(\.job.receipt))
      drop(job.app)
    }
    return .commit
  }

  private mutating func fail(
    _ entry: Pending, _ failing: FailedAttempt, now: Instant, elapsed: Int64, chance: Double
  ) -> Step {
    guard failing.kind == .passing else {
      outage.succeed(at: elapsed)
      return decide(entry, failing, now: now, elapsed: elapsed, chance: chance)
    }
    pace.take(.trouble, at: elapsed)
    if let seconds = failing.retryAfter {
      let wait = min(Int64(max(seconds, 0)), Self.longestSilence / Milliseconds.second) * Milliseconds.second
      leaveAlone(until: now + wait, because: failing.reason, now: now, elapsed: elapsed)
    }
    if outage.fail(at: elapsed) { end(.unavailable) }
    return decide(entry, failing, now: now, elapsed: elapsed, chance: chance)
  }

  /// Pauses all requests until an instant. Other sweeps obey `Retry-After` too.
  mutating func leaveAlone(until instant: Instant, because reason: String, now: Instant, elapsed: Int64) {
    notBefore = max(notBefore ?? instant, instant)
    guard instant - now <= Self.longestPause else { return end(.unavailable) }
    pace.pause(until: elapsed + (instant - now))
    pauseReason = reason
  }

  private mutating func decide(
    _ entry: Pending, _ failing: FailedAttempt, now: Instant, elapsed: Int64, chance: Double
  ) -> Step {
    // With too few answers, the failure is doubted until there are enough, or until the end.
    let isBurst = failures.isTelling && failures.isBurst(of: failing.kind)
    if isBelievable(failing, of: entry.job, isBurst: isBurst, at: now) {
      let believed = Pending(job: entry.job, result: .believed(failing), status: entry.status)
      guard failures.isTelling else {
        doubted.append(believed)
        return flushUnreached() ?? .goOn
      }
      return keep(believed)
    }
    guard failing.isWorthAnotherTry, entry.job.tries < options.tries, !isEnding,
      !breakers.isStopped(entry.job.app)
    else {
      return keep(entry)
    }
    let pause = options.pause.wait(
      failures: entry.job.tries, chance: chance, retryAfter: failing.retryAfter)
    counts.retried += 1
    wait(entry.job.again(after: failing, at: now), until: elapsed + pause)
    return flushUnreached() ?? .goOn
  }

  private mutating func keep(_ entry: Pending) -> Step {
    var entry = entry
    entry.job = entry.job.spent
    pending.append(entry)
    _ = flushUnreached()
    if isEnding { return .stop }
    return commitOnce()
  }

  /// Records the transfers that failed to connect, once another one has connected.
  private mutating func flushUnreached() -> Step? {
    guard !unreached.isEmpty else { return nil }
    pending += unreached
    unreached = []
    return commitOnce()
  }

  private mutating func keepBack(_ entry: Pending) -> Step {
    unreached.append(entry)
    if unreached.count >= Self.fewestUnreached {
      end(.unreachable)
      return .stop
    }
    return .goOn
  }

  private mutating func count(_ job: SweepJob, _ classification: ResponseClassification, at now: Instant) {
    if let http = classification.http { counts.http[http, default: 0] += 1 }
    if let error = classification.transport {
      counts.transportErrors += 1
      lastTransportError = error.description
    }
    if let latency = classification.latency { latencies.take(latency) }
    if classification.leftOut > 0 {
      counts.leftOutChains += classification.leftOut
      if leftOutOf.count < Self.mostNamed { leftOutOf.append(job.receipt) }
    }
    guard let status = classification.status else { return }
    counts.byStatus[status, default: 0] += 1
    tallies[status] = StatusTally(
      status: status, count: counts.byStatus[status] ?? 1, lastSeenAtMs: now, exampleReceipt: job.receipt)
  }

  private mutating func commitOnce() -> Step {
    guard !isCommitting else { return .goOn }
    isCommitting = true
    return .commit
  }
}

extension FailedAttempt.Kind {
  /// Reason to stop an app that gets only such failures; `nil` if they do not concern the app.
  fileprivate var distrust: StoppedApp.Reason? {
    switch self {
    case .untrusted: .untrusted
    case .otherApp: .otherApp
    case .passing, .puzzling, .unproven, .unusable, .tooLong, .malformed, .verdict, .gone: nil
    }
  }
}
