import Synchronization

/// Bounds what is in memory at once by its bytes. Whoever collects something draws on it as that grows, and gives back
/// when nothing is left of it.
///
/// One holder may go over it, lest all that hold a part of it wait for each other: so there is never more in memory than
/// the budget and the longest thing that anybody may collect.
package final class ByteBudget: Sendable {
  private let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var used = 0
    var overdrawn: ObjectIdentifier?
    var isWanted = false
    var wake: @Sendable () -> Void = {}
  }

  package init(_ capacity: Int) { self.capacity = capacity }

  /// - Parameter wake: is told from any thread when somebody who was refused may ask again.
  func whenFreed(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  package var used: Int { state.withLock { $0.used } }

  /// Whether nobody should begin with anything new.
  package var isExhausted: Bool {
    state.withLock { state in
      let isExhausted = state.used >= capacity
      state.isWanted = state.isWanted || isExhausted
      return isExhausted
    }
  }

  fileprivate func draw(_ count: Int, for holder: ObjectIdentifier) -> Bool {
    state.withLock { state in
      if state.used + count > capacity, state.overdrawn != holder {
        guard state.overdrawn == nil else {
          state.isWanted = true
          return false
        }
        state.overdrawn = holder
      }
      state.used += count
      return true
    }
  }

  fileprivate func give(back count: Int, from holder: ObjectIdentifier, isAll: Bool) {
    let wake: (@Sendable () -> Void)? = state.withLock { state in
      state.used -= count
      if isAll, state.overdrawn == holder { state.overdrawn = nil }
      guard state.isWanted else { return nil }
      state.isWanted = false
      return state.wake
    }
    wake?()
  }
}

/// Bytes drawn on a budget. They go back when the last owner lets go.
package final class HeldBytes: Sendable {
  private let budget: ByteBudget
  private let count = Mutex(0)

  package init(of budget: ByteBudget) { self.budget = budget }

  deinit { budget.give(back: count.withLock { $0 }, from: ObjectIdentifier(self), isAll: true) }

  /// - Returns: false, and nothing drawn, where others have to give back first.
  package func grow(to size: Int) -> Bool {
    count.withLock { count in
      guard size > count else { return true }
      guard budget.draw(size - count, for: ObjectIdentifier(self)) else { return false }
      count = size
      return true
    }
  }

  package func shrink(to size: Int) {
    let surplus = count.withLock { count in
      let surplus = max(count - size, 0)
      count -= surplus
      return surplus
    }
    if surplus > 0 { budget.give(back: surplus, from: ObjectIdentifier(self), isAll: false) }
  }
}
