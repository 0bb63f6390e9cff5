import Dispatch
import Synchronization

/// Bounded queue between two threads.
package final class BlockingQueue<Element: Sendable>: Sendable {
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let state = Mutex<(elements: [Element], isClosed: Bool)>(([], false))

  package init(atMost count: Int) {
    for _ in 0..<count { room.signal() }
  }

  /// Appends an element, waiting for room.
  ///
  /// - Returns: `false` if the queue has been closed.
  package func put(_ element: Element) -> Bool {
    room.wait()
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.elements.append(element)
      return true
    }
    // A closed queue must not block later calls.
    if isOpen { filled.signal() } else { room.signal() }
    return isOpen
  }

  /// Returns the next element, waiting for it; `nil` if `close` dropped it. Must not be called again after
  /// the last element, since it would wait forever.
  package func take() -> Element? {
    filled.wait()
    let element = state.withLock { $0.elements.isEmpty ? nil : $0.elements.removeFirst() }
    room.signal()
    return element
  }

  /// Drops the queued elements, and makes every further `put` fail.
  package func close() {
    state.withLock { $0 = ([], true) }
    room.signal()
  }
}
