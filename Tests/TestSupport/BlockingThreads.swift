import Dispatch
import Synchronization
import Testing

/// Runs the tests of a suite on threads that may be blocked, or compute for long: those that tests share otherwise are as few as the
/// machine's cores, and the fake App Stores of other tests answer on them.
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

  /// Few, since Dispatch has threads for some dozens of blocked ones and the servers need theirs. Each is serial, so that it has a
  /// thread beside those of Swift.
  private let queues = (0..<4).map { DispatchQueue(label: "blocking tests \($0)") }
  private let next = Atomic(0)

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let turn = next.add(1, ordering: .relaxed).oldValue
    queues[turn % queues.count].async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
