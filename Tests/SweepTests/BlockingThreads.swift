import Dispatch
import Synchronization
import Testing

/// Runs the tests of a suite on threads that may be blocked: those that tests share otherwise are as few as the machine's
/// cores, and the servers of other tests answer on them.
struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  static var blocking: Self { Self() }
}

private final class BlockingThreads: TaskExecutor {
  static let shared = BlockingThreads()

  /// Few, since Dispatch has threads for some dozens of blocked ones and the servers need theirs.
  private let queues = (0..<4).map { DispatchQueue(label: "blocking tests \($0)") }
  private let next = Atomic(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let turn = next.add(1, ordering: .relaxed).oldValue
    queues[turn % queues.count].async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
