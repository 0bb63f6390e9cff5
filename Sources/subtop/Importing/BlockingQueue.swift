import Dispatch
import Synchronization

/// Bounded queue between two threads.
final class BlockingQueue<Element: Sendable>: Sendable {
  private let room: DispatchSemaphore
  private let filled = DispatchSemaphore(value: 0)
  private let elements = Mutex<[Element]>([])

  init(atMost count: Int) { room = DispatchSemaphore(value: count) }

  /// Appends an element, waiting for room.
  func put(_ element: Element) {
    room.wait()
    elements.withLock { $0.append(element) }
    filled.signal()
  }

  /// Returns the next element, waiting for it. Must not be called again after the last element, since it
  /// would wait forever.
  func take() -> Element {
    filled.wait()
    defer { room.signal() }
    return elements.withLock { $0.removeFirst() }
  }
}
