import CCurl
import Dispatch
import Synchronization

/// Carries transfers over one multi handle, each with a job that comes back with its result. How many at once is the
/// supply's decision, under a ceiling.
///
/// Checked by hand instead of by the compiler: everything but `wake()` and `stop()` runs on `queue`,
/// which the preconditions hold to; those two touch an atomic and `curl_multi_wakeup`, the one call that
/// libcurl allows from any thread.
package final class TransferEngine<Job>: @unchecked Sendable {
  /// What there is to send next.
  package enum Supply {
    case transfer(Transfer, Job)
    /// Nothing yet; `wake()` asks again, and so does this instant, in milliseconds of the engine's stopwatch. It is
    /// asked earlier too, whenever something happens on the wire.
    case later(until: Int64?)
    /// Nothing ever again: the supply is not asked any more.
    case exhausted
  }

  private let stopwatch: Stopwatch
  private let queue: DispatchQueue
  private let limits: TransferLimits
  private let multi: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  private let isStopped = Atomic(false)
  /// Whether somebody has woken the loop since it last asked for work: once is enough, and costs a system call.
  private let isWoken = Atomic(false)
  private var lanes: [TransferLane] = []
  private var idle: [Int] = []
  private var jobs: [Int: Job] = [:]
  /// Of all answers, until nothing is left of them.
  private let budget: ByteBudget

  package init(
    queue: DispatchQueue, limits: TransferLimits = TransferLimits(), stopwatch: Stopwatch = Stopwatch()
  ) throws(TransportError) {
    guard CurlLibrary.isReady, let multi = curl_multi_init() else { throw TransportError(CURLE_FAILED_INIT) }
    self.queue = queue
    self.stopwatch = stopwatch
    self.limits = limits
    self.multi = multi
    budget = ByteBudget(limits.bytesInFlight)
    // An empty Expect keeps libcurl from waiting for "100 Continue" before it sends a large receipt.
    let lines = ["Content-Type: application/json", "Accept: application/json", "Expect:"]
    headers = lines.reduce(nil) { list, line in curl_slist_append(list, line) }
    ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    budget.whenFreed { [weak self] in self?.wake() }
  }

  deinit {
    // A run that has ended has given back every handle; what remains are idle ones.
    lanes = []
    curl_multi_cleanup(multi)
    curl_slist_free_all(headers)
  }

  /// Asks for more work where the last answer was `later`. From any thread.
  package func wake() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { curl_multi_wakeup(multi) }
  }

  /// Ends the run at once: transfers in flight are dropped and their jobs never come back. From any thread, for good.
  package func stop() {
    isStopped.store(true, ordering: .releasing)
    wake()
  }

  /// Carries transfers until the supply is exhausted and the last one has come back.
  ///
  /// - Parameters:
  ///   - concurrency: transfers at once that are never exceeded.
  ///   - next: asked for more, at an instant in the stopwatch's milliseconds, which `later` is to be told by.
  /// - Returns: false where `stop()` ended it.
  package func run(
    concurrency: Int, next: (_ elapsed: Int64) -> Supply, finish: (Job, TransferResult) -> Void
  ) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, concurrency)
    ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, concurrency)
    // Streams of HTTP/2 are as many as the server allows; only what it refuses goes to a further connection. A limit
    // on connections to one host would throttle servers that offer HTTP/1.1 alone.
    ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, max(concurrency, 100))
    defer { drop() }
    var appetite = Appetite.now
    while !isStopped.load(ordering: .acquiring) {
      // Before the supply is asked, so that who changes it later wakes anew.
      _ = isWoken.exchange(false, ordering: .acquiringAndReleasing)
      if appetite != .never { appetite = refill(concurrency, next: next, finish: finish) }
      if appetite == .never, jobs.isEmpty { return true }
      for number in jobs.keys.sorted() { lanes[number].resume() }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      guard collect(finish) == 0 else { continue }
      curl_multi_poll(multi, nil, 0, patience(appetite), nil)
    }
    return false
  }
}

extension TransferEngine {
  /// When the supply is to be asked again.
  private enum Appetite: Equatable { case now, later(until: Int64?), never }

  /// Milliseconds to wait for the wire at the most. An instant that has passed is a millisecond away, lest a supply
  /// that names one again and again keeps the processor busy.
  private func patience(_ appetite: Appetite) -> Int32 {
    guard case .later(let until?) = appetite else { return 1000 }
    let elapsed = stopwatch.elapsed
    return until > elapsed ? Int32(min(until - elapsed, 1000)) : 1
  }

  /// Fills the free lanes.
  private func refill(
    _ concurrency: Int, next: (_ elapsed: Int64) -> Supply, finish: (Job, TransferResult) -> Void
  ) -> Appetite {
    dispatchPrecondition(condition: .onQueue(queue))
    while jobs.count < concurrency {
      if budget.isExhausted { return .later(until: nil) }
      switch next(stopwatch.elapsed) {
      case .exhausted: return .never
      case .later(let until): return .later(until: until)
      case .transfer(let transfer, let job):
        do throws(TransportError) {
          try begin(transfer, job)
        } catch {
          finish(job, .failed(error))
        }
      }
    }
    return .now
  }

  private func begin(_ transfer: Transfer, _ job: Job) throws(TransportError) {
    dispatchPrecondition(condition: .onQueue(queue))
    if idle.isEmpty {
      lanes.append(
        try TransferLane(
          number: lanes.count, limits: limits, headers: headers, stopwatch: stopwatch, budget: budget))
      idle.append(lanes.count - 1)
    }
    let number = idle[idle.count - 1]
    try lanes[number].prepare(transfer)
    guard curl_multi_add_handle(multi, lanes[number].handle) == CURLM_OK else {
      throw TransportError(CURLE_FAILED_INIT)
    }
    idle.removeLast()
    jobs[number] = job
  }

  /// Hands over what has come back; the number of handles that were done.
  private func collect(_ finish: (Job, TransferResult) -> Void) -> Int {
    dispatchPrecondition(condition: .onQueue(queue))
    var count = 0
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      // The message is gone once its handle is removed.
      let code = message.pointee.data.result
      var mark: UnsafeMutableRawPointer?
      ccurl_get_pointer(handle, CURLINFO_PRIVATE, &mark)
      let number = Int(bitPattern: mark) - 1
      count += 1
      curl_multi_remove_handle(multi, handle)
      if lanes[number].takeSecondTry(code), curl_multi_add_handle(multi, handle) == CURLM_OK { continue }
      let result = lanes[number].result(code)
      idle.append(number)
      if let job = jobs.removeValue(forKey: number) { finish(job, result) }
    }
    return count
  }

  /// Takes back the handles of transfers in flight.
  private func drop() {
    dispatchPrecondition(condition: .onQueue(queue))
    for number in jobs.keys {
      curl_multi_remove_handle(multi, lanes[number].handle)
      lanes[number].release()
      idle.append(number)
    }
    jobs = [:]
  }
}

extension TransferEngine.Supply: Sendable where Job: Sendable {}
