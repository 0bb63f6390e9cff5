import Synchronization

/// A limit on the bytes in memory at once. Holders draw from it as they grow and give the bytes back when
/// they are released.
///
/// One holder at a time may exceed the limit, so that holders cannot block each other forever. Memory is
/// therefore bounded by the capacity plus the longest single item.
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

  /// Sets the function that is called when bytes become free after a refused draw.
  ///
  /// - Parameter wake: called from any thread.
  func whenFreed(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  package var used: Int { state.withLock { $0.used } }

  /// Whether no new item should begin. If so, the function set by `whenFreed` is called later.
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

/// Bytes drawn from a budget. They are given back when the last reference is released.
package final class HeldBytes: Sendable {
  private let budget: ByteBudget
  private let count = Mutex(0)

  package init(of budget: ByteBudget) { self.budget = budget }

  deinit { budget.give(back: count.withLock { $0 }, from: ObjectIdentifier(self), isAll: true) }

  /// Draws the bytes that are missing from `size`.
  ///
  /// - Returns: `false` if other holders must give bytes back first; nothing is drawn then.
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
