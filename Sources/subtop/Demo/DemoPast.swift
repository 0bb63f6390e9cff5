import Dispatch
import FakeAppStore
import ReceiptStore
import Subscriptions

/// Archived answers of the demonstration's past, generated page by page on another thread, ahead of the
/// store. Shows progress on a terminal.
final class DemoPast: Sendable {
  private let store: FakeStore
  private let span: Range<Instant>
  private let pages = BlockingQueue<Page>(atMost: 4)
  private let line = ProgressLine()

  /// Page of answers, which are `nil` at the end.
  private struct Page: Sendable {
    var answers: [ImportedAnswer]?
    var done: Int
  }

  private static let size = 500

  init(of store: FakeStore, since: Instant, upTo now: Instant) {
    (self.store, span) = (store, since..<now)
    DispatchQueue(label: "subtop.demo.past", qos: .userInitiated).async { self.make() }
  }

  func next() -> [ImportedAnswer]? {
    guard let page = pages.take() else { return nil }
    if line.isTerminal { show(page.done) }
    return page.answers
  }

  /// Stops the generation.
  func end() {
    pages.close()
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
      guard pages.put(Page(answers: answers, done: done)) else { return }
      answers = []
    }
    _ = pages.put(Page(answers: answers, done: done))
    _ = pages.put(Page(answers: nil, done: done))
  }
}
