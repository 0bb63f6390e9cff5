import Dispatch
import Subscriptions

/// Prepares answers ahead of whoever writes them, on another thread.
final class Preparation: Sendable {
  private let count: Int
  private let prepared: Handover<[PreparedAnswer]>
  /// One of its own: those of a global queue are as many as there are processors, and may all be waiting for the writer.
  private let queue = DispatchQueue(label: "subtop.preparation", qos: .userInitiated)

  /// Handing over costs more than a single answer is worth.
  private static let together = 32

  init(_ answers: [ImportedAnswer], catalog: Catalog, now: Instant) {
    count = answers.count
    // There is room for all of them.
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

  /// Waits for each.
  func forEach(_ body: (Int, PreparedAnswer) throws -> Void) rethrows {
    defer { prepared.close() }
    for start in stride(from: 0, to: count, by: Self.together) {
      guard let some = prepared.take() else { return }
      for (index, answer) in some.enumerated() { try body(start + index, answer) }
      // Letting go of it all takes as long as some of the writing.
      queue.async { withExtendedLifetime(some) {} }
    }
  }
}
