import Dispatch
import Synchronization
import Testing

/// Trait for suites that block or compute for long, which keeps the shared pool free for fake App Stores.
public struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  public static var blocking: Self { Self() }
}

public final class BlockingThreads: TaskExecutor {
  public static let shared = BlockingThreads()

  /// Serial queues, which get threads outside Swift's pool; four, because Dispatch limits blocked threads.
  private let queues = (0..<4).map { DispatchQueue(label: "blocking tests \($0)") }
  private let next = Atomic(0)

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let turn = next.add(1, ordering: .relaxed).oldValue
    queues[turn % queues.count].async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
