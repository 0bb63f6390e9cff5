import Dispatch
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

  private let queue = DispatchQueue(label: "blocking tests", attributes: .concurrent)
  /// All of them at once would make each other slow.
  private let places = DispatchSemaphore(value: 4)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      places.wait()
      job.runSynchronously(on: asUnownedTaskExecutor())
      places.signal()
    }
  }
}
