import CCurl
import Dispatch
import Synchronization

/// Runs transfers on one libcurl multi handle, and reports each result with the job of its transfer.
///
/// `@unchecked Sendable`: everything runs on `queue`, as the preconditions check, except `wake()` and
/// `stop()`. These two use atomics and `curl_multi_wakeup`, which libcurl allows from any thread.
package final class TransferEngine<Job>: @unchecked Sendable {
  package enum Supply {
    case transfer(Transfer, Job)
    /// No transfer now; `next` is called again at `until` (stopwatch milliseconds), or in a second if sooner.
    case later(until: Int64?)
    /// No transfers are left; the run ends with the last transfer.
    case exhausted
  }

  private let stopwatch: Stopwatch
  private let queue: DispatchQueue
  private let limits: TransferLimits
  private let multi: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  private let isStopped = Atomic(false)
  /// Whether `wake()` was called since the current turn of the loop began; more calls skip the system call.
  private let isWoken = Atomic(false)
  private var lanes: [TransferLane] = []
  private var idle: [Int] = []
  private var jobs: [Int: Job] = [:]

  package init(
    queue: DispatchQueue, limits: TransferLimits = TransferLimits(), stopwatch: Stopwatch = Stopwatch()
  ) throws(TransportError) {
    guard CurlLibrary.isReady, let multi = curl_multi_init() else { throw TransportError(CURLE_FAILED_INIT) }
    (self.queue, self.stopwatch, self.limits, self.multi) = (queue, stopwatch, limits, multi)
    // An empty Expect field keeps libcurl from waiting for "100 Continue" before it sends a large receipt.
    let lines = ["Content-Type: application/json", "Accept: application/json, application/a-gzip", "Expect:"]
    headers = lines.reduce(nil) { list, line in curl_slist_append(list, line) }
    ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  deinit {
    // Every run returns its handles, so only idle handles remain.
    lanes = []
    curl_multi_cleanup(multi)
    curl_slist_free_all(headers)
  }

  /// Makes the engine ask for another transfer after `Supply.later`; may be called from any thread.
  package func wake() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { curl_multi_wakeup(multi) }
  }

  package func stop() {
    isStopped.store(true, ordering: .releasing)
    wake()
  }

  /// Runs transfers until `next` is exhausted and all have ended; returns `false` if `stop()` ended the run.
  ///
  /// - Parameter next: Receives the stopwatch time in milliseconds; returns the next transfer, if any.
  package func run(
    concurrency: Int, next: (_ elapsed: Int64) -> Supply, finish: (Job, TransferResult) -> Void
  ) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, concurrency)
    ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, concurrency)
    // The server limits the HTTP/2 streams per connection, and only excess transfers open another connection.
    // A limit on connections per host would slow down servers that offer only HTTP/1.1.
    ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, max(concurrency, 100))
    defer { drop() }
    var isExhausted = false
    while !isStopped.load(ordering: .acquiring) {
      // `isWoken` is cleared before `next` is called, so that a later `wake()` is not lost.
      _ = isWoken.exchange(false, ordering: .acquiringAndReleasing)
      var wait: Int64 = 1000
      filling: while !isExhausted, jobs.count < concurrency {
        switch next(stopwatch.elapsed) {
        case .exhausted: isExhausted = true
        case .later(let until):
          // At least one millisecond, so that an instant in the past does not cause a busy loop.
          let now = stopwatch.elapsed
          if let until { wait = min(max(until, now + 1), now + 1000) - now }
          break filling
        case .transfer(let transfer, let job):
          do throws(TransportError) {
            try begin(transfer, job)
          } catch {
            finish(job, .failed(error))
          }
        }
      }
      if isExhausted, jobs.isEmpty { return true }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      guard collect(finish) == 0 else { continue }
      curl_multi_poll(multi, nil, 0, Int32(wait), nil)
    }
    return false
  }

  private func begin(_ transfer: Transfer, _ job: Job) throws(TransportError) {
    dispatchPrecondition(condition: .onQueue(queue))
    if idle.isEmpty {
      lanes.append(
        try TransferLane(number: lanes.count, limits: limits, headers: headers, stopwatch: stopwatch))
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

  /// Passes results to `finish`; returns the number of finished handles, even of transfers that are repeated.
  private func collect(_ finish: (Job, TransferResult) -> Void) -> Int {
    dispatchPrecondition(condition: .onQueue(queue))
    var count = 0
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      // The message becomes invalid when its handle is removed.
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
