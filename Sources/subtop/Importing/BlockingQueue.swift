import Dispatch
import Synchronization

/// Bounded queue between two threads.
final class BlockingQueue<Element: Sendable>: Sendable {
  private let room: DispatchSemaphore
  private let filled = DispatchSemaphore(value: 0)
  private let elements = Mutex<[Element]>([])

  init(atMost count: Int) { room = DispatchSemaphore(value: count) }

  func put(_ element: Element) {
    room.wait()
    elements.withLock { $0.append(element) }
    filled.signal()
  }

  /// Waits for the next element, and returns it; blocks forever after the last element.
  func take() -> Element {
    filled.wait()
    defer { room.signal() }
    return elements.withLock { $0.removeFirst() }
  }
}
