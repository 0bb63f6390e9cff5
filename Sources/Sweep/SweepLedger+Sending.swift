import Subscriptions

extension SweepLedger {
  /// What to send next.
  mutating func next(at elapsed: Int64) -> TransferEngine<SweepJob>.Supply {
    if isEnding || isThrough {
      isOver = true
      return .exhausted
    }
    if isPaused || isHastening || isCutOff(at: elapsed) { return .later(until: nil) }
    while let first = waiting.last, first.at <= elapsed {
      putNext(first.job)
      waiting.removeLast()
    }
    var until = waiting.last?.at
    let index = ready.indices.last { index in
      guard breakers.mayBegin(ready[index].app) else { return false }
      guard let wait = ready[index].limited.flatMap({ limits.wait(for: $0, at: elapsed) }) else {
        return true
      }
      until = min(until ?? wait, wait)
      return false
    }
    guard let index else { return .later(until: until) }
    // What has landed counts until it is judged: it may be the answer that asks for time.
    switch pace.mayBegin(inFlight: unjudged, at: elapsed) {
    case .yes: break
    case .notBefore(let instant): return .later(until: instant)
    case .whenOneEnds: return .later(until: nil)
    }
    let job = ready.remove(at: index)
    inFlight += 1
    unjudged += 1
    breakers.begin(job.app)
    if let subject = job.limited { limits.begin(subject, at: elapsed) }
    guard let transfer = job.transfer(options) else {
      end(.transport("no token for the Server API could be signed"))
      return .exhausted
    }
    return .transfer(transfer, job)
  }

  /// Whether the leases may be out, since the store could not be written for so long: what they were for may be another
  /// sweep's by now.
  func isCutOff(at elapsed: Int64) -> Bool { elapsed - renewedAt >= options.lease / 4 * 3 }

  /// The leases are this sweep's again.
  ///
  /// - Parameter kept: the receipts that nobody took meanwhile.
  mutating func renew(at elapsed: Int64, kept: Set<ReceiptID>) {
    defer { renewedAt = max(renewedAt, elapsed) }
    guard elapsed - renewedAt >= options.lease else { return }
    let lost = (ready + waiting.map(\.job)).map(\.receipt).filter { !kept.contains($0) }
    ready.removeAll { !kept.contains($0.receipt) }
    waiting.removeAll { !kept.contains($0.job.receipt) }
    outstanding -= lost.count
    counts.givenBack += lost.count
  }

  /// Nothing is left to be asked, and nothing under way that could bring more.
  private var isThrough: Bool {
    isDrained && !isHastening && ready.isEmpty && waiting.isEmpty && unjudged == 0
  }

  mutating func landed() { inFlight -= 1 }

  /// Puts a receipt before the rest, but behind those that somebody asked for.
  mutating func putNext(_ job: SweepJob) {
    let place =
      askedFirst.contains(job.receipt)
      ? ready.endIndex : ready.lastIndex { !askedFirst.contains($0.receipt) }.map { $0 + 1 } ?? 0
    ready.insert(job, at: place)
  }

  /// Puts a receipt off until later in the sweep.
  mutating func wait(_ job: SweepJob, until instant: Int64) {
    let place = waiting.firstIndex { $0.at < instant } ?? waiting.endIndex
    waiting.insert((instant, job), at: place)
  }

  /// Takes the receipts of an app that was stopped out of what is still to be sent.
  mutating func drop(_ app: BundleID?) {
    let dropped = ready.filter { $0.app == app } + waiting.lazy.map(\.job).filter { $0.app == app }
    ready.removeAll { $0.app == app }
    waiting.removeAll { $0.job.app == app }
    outstanding -= dropped.count
    giveBack(dropped.map(\.receipt))
  }
}
