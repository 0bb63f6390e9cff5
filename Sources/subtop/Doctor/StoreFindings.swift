import Dashboard
import ReceiptStore
import Subscriptions

/// Checks of the store: existence, integrity, write access, reporting currency and last sweep.
struct StoreFindings {
  let findings: [Finding]
  let contents: [AskableContents]

  init(_ location: StoreLocation, policy: DuePolicy, reporting: CurrencyCode?, at now: Instant) {
    do {
      let path = try location.place()
      guard ReceiptStore.exists(path) else {
        throw Failure(
          .noInput,
          "there is no store at \(path); create it with `subtop import`, or pass another --store")
      }
      let store = try location.open(.readOnly, policy: policy)
      let status = try store.status(at: now)
      let integrity = try store.quickCheck()
      let sweeps = try store.sweeps(limit: 100, at: now)
      let contents = try store.askableContents()
      guard integrity == "ok" else {
        throw Failure(.store, "\(path) is damaged (\(integrity)); \(StoreError.mending(path))")
      }
      let whole = Finding.ok(
        "store",
        "\(path) is intact: \(CountText.of(status.receipts, "receipt")), \(CountText.of(status.lines, "subscription"))"
      )
      let last = sweeps.first { $0.finishedAtMs != nil && $0.stopped != SweepRecord.killed }
      let currency = try reporting.map { try Self.currency($0, of: store) }
      self.contents = contents
      findings = [Self.refusal(path) ?? whole, currency, Self.sweeps(last, of: status, at: now)].compactMap(
        \.self)
    } catch {
      (findings, contents) = ([.problem("store", error)], [])
    }
  }

  /// Returns the error that a sweep would get when it writes; `nil` if the store is writable.
  private static func refusal(_ path: String) -> Finding? {
    do {
      try ReceiptStore.checkWritable(path)
      return nil
    } catch {
      return .problem("store", error)
    }
  }

  private static func currency(
    _ configured: CurrencyCode, of store: ReceiptStore
  ) throws(StoreError) -> Finding {
    guard try store.hasRates(of: configured) else {
      return .warning(
        "currency", "\(RatesText.missing(configured)); run `subtop import rates FILE`: subtop help formats")
    }
    guard let kept = try store.reportingCurrency(), kept == configured else {
      return .warning(
        "currency",
        "the store's totals are not in \(configured), the configured reporting_currency; run `subtop status --rebuild`"
      )
    }
    return .ok("currency", "amounts are converted to \(configured)")
  }

  /// Milliseconds after the last sweep until doctor warns, long enough for timers that run rarely.
  private static let longestPause = Milliseconds.day

  private static func sweeps(_ last: SweepRecord?, of status: StoreStatus, at now: Instant) -> Finding {
    guard let last, let ended = last.finishedAtMs else {
      return status.receipts == 0
        ? .ok("sweeps", "there is nothing to sweep yet")
        : .warning(
          "sweeps", "no sweep has run yet; run `subtop sweep`, then schedule it: subtop help operating")
    }
    let ago = "\(AgeText.of(now - ended)) ago"
    if now - ended > longestPause {
      return .warning(
        "sweeps", "the last sweep ended \(ago); schedule `subtop sweep`: subtop help operating")
    }
    if let stopped = last.stopped, stopped != SweepSummary.Stop.interrupted.rawValue {
      return .warning(
        "sweeps", "the last sweep ended early \(ago) (\(stopped)); run `subtop sweep` to see the reason")
    }
    return .ok("sweeps", "the last sweep ended \(ago)")
  }
}
