import Dispatch
import Synchronization
import Testing

/// Threads for tests that compute for long or block. Swift's own threads are as few as the machine's cores; fake App Stores answer on
/// them, and every wait comes back on them.
final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()

  /// Serial, since Dispatch gives each of these a thread beside those of Swift.
  private let queues = (0..<2).map { DispatchQueue(label: "own threads \($0)") }
  private let next = Atomic(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let turn = next.add(1, ordering: .relaxed).oldValue
    queues[turn % queues.count].async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Has the tests of a suite run on threads of their own.
struct OwnThreadsTrait: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreadsTrait {
  static var onOwnThreads: Self { Self() }
}

extension Tag {
  /// A test that takes more than five seconds; CONTRIBUTING lists them.
  @Tag static var long: Self
}
