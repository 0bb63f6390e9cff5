import Dispatch
import Synchronization

/// Hands things from one thread to another, which may be so many behind; whoever is ahead waits.
package final class Handover<Element: Sendable>: Sendable {
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let state = Mutex<(elements: [Element], isClosed: Bool)>(([], false))

  package init(atMost count: Int) {
    for _ in 0..<count { room.signal() }
  }

  /// - Returns: false where nobody takes anything any more.
  package func put(_ element: Element) -> Bool {
    room.wait()
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.elements.append(element)
      return true
    }
    // Nobody waits for room that will never be.
    if isOpen { filled.signal() } else { room.signal() }
    return isOpen
  }

  /// Waits for the next one. Not to be asked again once the last has come.
  package func take() -> Element? {
    filled.wait()
    let element = state.withLock { $0.elements.isEmpty ? nil : $0.elements.removeFirst() }
    room.signal()
    return element
  }

  /// Nothing is taken any more.
  package func close() {
    state.withLock { $0 = ([], true) }
    room.signal()
  }
}
