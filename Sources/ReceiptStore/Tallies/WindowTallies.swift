import GRDB
import Subscriptions

/// What happened in the stretches of a question's window and in the window before.
struct WindowTallies {
  /// For each stretch of the window. A key may come more than once.
  private(set) var stretches: [TallyBook.List]
  private(set) var before: TallyBook.List = []
  private(set) var whole: TallyBook.Sums = [:]

  init(
    _ families: Set<TallyFamily>, _ window: Window, withBefore: Bool, _ book: TallyBook, _ query: StoreQuery
  ) throws {
    let earlier = Window(days: window.days, upTo: window.from)
    let ends = window.stretchEnds
    var asked: [TallyBook.Stretch] = []
    for family in families.sorted(by: { $0.rawValue < $1.rawValue }) {
      for (after, through) in zip([window.from] + ends, ends) {
        asked.append(.init(family: family, after: after, through: through))
      }
      if withBefore { asked.append(.init(family: family, after: earlier.from, through: earlier.to)) }
    }
    var lists = [TallyBook.List](repeating: [], count: ends.count + 1)
    let width = ends.count + (withBefore ? 1 : 0)
    try book.read(asked) { lists[$0 % width].append(($1, $2)) }
    stretches = lists.dropLast()
    before = lists[ends.count]
    if families.contains(.event) {
      let events = EventTallies(query: query)
      for mark in try events.marks(besideWholeHoursOf: window) {
        stretches[window.stretch(of: mark.at)].append((book.keys.known(mark.key), mark.value))
      }
      if withBefore {
        before += try events.marks(besideWholeHoursOf: earlier).map { (book.keys.known($0.key), $0.value) }
      }
    }
    for (key, value) in stretches.joined() { whole.add(key, value) }
  }
}
