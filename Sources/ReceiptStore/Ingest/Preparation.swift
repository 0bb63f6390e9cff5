import Dispatch
import Subscriptions

/// Prepares answers on another thread, ahead of the writer.
final class Preparation: Sendable {
  private let count: Int
  private let prepared: Handover<[PreparedAnswer]>
  /// Private queue: a global queue has one thread per processor, and all may be waiting for the writer.
  private let queue = DispatchQueue(label: "subtop.preparation", qos: .userInitiated)

  /// Answers per batch; handing over a single answer costs more than it saves.
  private static let together = 32

  init(_ answers: [ImportedAnswer], catalog: Catalog, now: Instant) {
    count = answers.count
    prepared = Handover(atMost: count / Self.together + 1)
    queue.async { [prepared] in
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
        guard prepared.put(some) else { return }
      }
    }
  }

  /// Calls `body` with each answer in order, waiting until it is prepared.
  func forEach(_ body: (Int, PreparedAnswer) throws -> Void) rethrows {
    defer { prepared.close() }
    for start in stride(from: 0, to: count, by: Self.together) {
      guard let some = prepared.take() else { return }
      for (index, answer) in some.enumerated() { try body(start + index, answer) }
      // Deallocation takes long, so it happens on the other thread.
      queue.async { withExtendedLifetime(some) {} }
    }
  }
}
