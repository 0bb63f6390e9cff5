import GRDB
import Subscriptions

/// What happened in the stretches of a question's window and in the window before: whole minutes from the tallies, those that
/// the window cuts from the rows of these minutes. Of events hours.
struct WindowTallies {
  /// For each stretch of the window. A key may come more than once.
  private(set) var stretches: [TallyBook.List]
  private(set) var before: TallyBook.List = []
  private(set) var whole: TallyBook.Sums = [:]

  init(
    _ families: Set<TallyFamily>, _ window: Window, withBefore: Bool, _ book: TallyBook, _ asking: Asking
  ) throws {
    let earlier = Window(days: window.days, upTo: window.from)
    let ends = window.stretchEnds
    var asked: [TallyBook.Stretch] = []
    for family in families.sorted(by: { $0.rawValue < $1.rawValue }) {
      let grain = family.finest
      func next(_ t: Instant) -> Int64 { grain.firstMinute(at: t) + grain.minutes }
      // A stretch ends with a whole hour, the last one with the window.
      let cuts =
        [next(window.from)] + ends.dropLast().map { minute(of: $0 + 1) } + [grain.firstMinute(at: window.to)]
      for (from, until) in zip(cuts, cuts.dropFirst()) {
        asked.append(.init(family: family, from: from, until: max(from, until)))
      }
      if withBefore {
        asked.append(
          .init(family: family, from: next(earlier.from), until: grain.firstMinute(at: earlier.to)))
      }
    }
    var lists = [TallyBook.List](repeating: [], count: ends.count + 1)
    let width = ends.count + (withBefore ? 1 : 0)
    try book.read(asked) { lists[$0 % width].append(($1, $2)) }
    stretches = lists.dropLast()
    before = lists[ends.count]
    for t in [earlier.from, window.from, window.to].dropFirst(withBefore ? 0 : 1) {
      for mark in try EdgeRows(asking: asking).marks(of: families, around: t, isLast: t == window.to) {
        if window.contains(mark.at) {
          // A minute that the window ends within, or begins within, belongs to one stretch.
          stretches[window.stretch(of: mark.at)].append((book.keys.known(mark.key), mark.value))
        } else if withBefore, earlier.contains(mark.at) {
          before.append((book.keys.known(mark.key), mark.value))
        }
      }
    }
    for (key, value) in stretches.joined() { whole.add(key, value) }
  }
}
