import Dispatch
import FakeAppStore
import Subscriptions
import Synchronization

/// The kept answers of a demonstration's past, page by page, made on a thread of its own ahead of the store, which takes them. How far it is
/// stands on standard error where that is a terminal.
final class DemoPast: Sendable {
  private let store: FakeStore
  private let span: Range<Instant>
  private let made = Mutex<[Page]>([])
  private let isMade = DispatchSemaphore(value: 0)
  private let hasRoom = DispatchSemaphore(value: DemoPast.ahead)
  private let isOver = Atomic(false)
  private let line = ProgressLine()

  /// Nil ends them.
  private struct Page: Sendable {
    var answers: [ImportedAnswer]?
    /// Customers so far.
    var done: Int
  }

  private static let size = 500
  private static let ahead = 4

  init(of store: FakeStore, since: Instant, upTo now: Instant) {
    (self.store, span) = (store, since..<now)
    DispatchQueue(label: "subtop.demo.past", qos: .userInitiated).async { self.make() }
  }

  /// Nil at the end.
  func next() -> [ImportedAnswer]? {
    isMade.wait()
    let page = made.withLock { $0.removeFirst() }
    hasRoom.signal()
    if line.isTerminal { show(page.done) }
    return page.answers
  }

  /// Lets go of what is not wanted any more.
  func end() {
    isOver.store(true, ordering: .releasing)
    hasRoom.signal()
    line.clear()
  }

  private func show(_ done: Int) {
    let count = store.population.countAtFounding
    let share = count > 0 ? Double(done) / Double(count) : 1
    line.show("watching a year of \(count) subscribers", share: share)
  }

  private func make() {
    var answers: [ImportedAnswer] = []
    var done = 0
    for subscriber in store.population.subscribers.prefix(store.population.countAtFounding) {
      answers += store.past(of: subscriber, since: span.lowerBound, upTo: span.upperBound)
      done += 1
      guard answers.count >= Self.size else { continue }
      hand(Page(answers: answers, done: done))
      answers = []
      if isOver.load(ordering: .acquiring) { return }
    }
    hand(Page(answers: answers, done: done))
    hand(Page(answers: nil, done: done))
  }

  private func hand(_ page: Page) {
    hasRoom.wait()
    made.withLock { $0.append(page) }
    isMade.signal()
  }
}
