import Dispatch
import Glibc
import Subscriptions
import Synchronization

/// Threads that derive chains on other processors, ahead of the reader.
struct LedgerHelpers {
  private let helpers: [LedgerHelper]

  init(_ empty: EvidenceLedger) {
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    helpers = (1..<max(2, min(4, processors))).map { _ in LedgerHelper(empty) }
  }

  /// - Returns: `false` if all of them are busy.
  func take(_ page: [ChainEvidence], knownAt: Instant) -> Bool {
    helpers.contains { $0.take(page, knownAt: knownAt) }
  }

  /// Waits for the threads, and adds their results.
  func finish(into ledger: inout EvidenceLedger) {
    for helper in helpers { ledger.add(helper.finished()) }
  }
}

private final class LedgerHelper: Sendable {
  private let ledger: Mutex<EvidenceLedger>
  private let waiting = Atomic(0)
  private let queue = DispatchQueue(label: "subtop.evidence", qos: .userInitiated)

  init(_ empty: EvidenceLedger) { ledger = Mutex(empty) }

  func take(_ page: [ChainEvidence], knownAt: Instant) -> Bool {
    // One in work, and one ready for when it is done.
    guard waiting.load(ordering: .relaxed) < 2 else { return false }
    waiting.add(1, ordering: .relaxed)
    queue.async { [self] in
      ledger.withLock { $0.add(page, knownAt: knownAt) }
      waiting.subtract(1, ordering: .relaxed)
    }
    return true
  }

  func finished() -> EvidenceLedger {
    queue.sync {}
    return ledger.withLock { $0 }
  }
}

extension EvidenceLedger {
  mutating func add(_ page: [ChainEvidence], knownAt: Instant) {
    for evidence in page {
      if let chain = evidence.observed(by: knownAt) { add(chain) }
    }
  }
}
