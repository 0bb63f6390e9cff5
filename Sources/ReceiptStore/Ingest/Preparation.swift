import Dispatch
import Subscriptions
import Synchronization

/// Prepares answers ahead of whoever writes them, on another thread.
final class Preparation: Sendable {
  private let count: Int
  private let prepared = Mutex<[[PreparedAnswer]]>([])
  private let isDone = DispatchSemaphore(value: 0)
  /// One of its own: those of a global queue are as many as there are processors, and may all be waiting for the writer.
  private let queue = DispatchQueue(label: "subtop.preparation", qos: .userInitiated)

  /// Handing over costs more than a single answer is worth.
  private static let together = 32

  init(_ answers: [ImportedAnswer], catalog: Catalog, now: Instant) {
    count = answers.count
    queue.async { [self] in
      for start in stride(from: 0, to: answers.count, by: Self.together) {
        let some = (start..<min(start + Self.together, answers.count)).map { index in
          func isFollowed(_ index: Int) -> Bool {
            answers.indices.contains(index) && answers.indices.contains(index + 1)
              && answers[index].isFollowed(by: answers[index + 1], now: now)
          }
          return PreparedAnswer(
            answers[index], .init(isFirst: !isFollowed(index - 1), isLast: !isFollowed(index)),
            catalog: catalog, now: now)
        }
        prepared.withLock { $0.append(some) }
        isDone.signal()
      }
    }
  }

  /// Waits for each.
  func forEach(_ body: (Int, PreparedAnswer) throws -> Void) rethrows {
    for start in stride(from: 0, to: count, by: Self.together) {
      isDone.wait()
      let some = prepared.withLock { $0.removeFirst() }
      for (index, answer) in some.enumerated() { try body(start + index, answer) }
      // Letting go of it all takes as long as some of the writing.
      queue.async { withExtendedLifetime(some) {} }
    }
  }
}
