import Dispatch

/// Threads of the server's own: those that Swift's tasks share are as few as the machine's cores, and whoever blocks them
/// while he waits for an answer would wait for ever.
final class ServerThreads: TaskExecutor {
  static let shared = ServerThreads()

  private let queue = DispatchQueue(label: "fake-app-store", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
