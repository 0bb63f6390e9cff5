import GRDB
import Subscriptions

/// What happened in the stretches of a question's window and in the window before: whole minutes from the tallies, the minutes that
/// the window cuts from the rows of these minutes.
struct WindowTallies {
  /// For each stretch of the window.
  private(set) var stretches: [TallyBook.Sums]
  private(set) var before: TallyBook.Sums = [:]
  private(set) var whole: TallyBook.Sums = [:]

  init(
    _ families: Set<TallyFamily>, _ window: Window, withBefore: Bool, _ book: TallyBook, _ asking: Asking
  ) throws {
    let earlier = Window(days: window.days, upTo: window.from)
    let ends = window.stretchEnds
    // A stretch ends with a whole minute, the last one with the window.
    let cuts =
      [minute(of: window.from) + 1] + ends.dropLast().map { minute(of: $0 + 1) } + [minute(of: window.to)]
    var asked: [TallyBook.Stretch] = []
    for family in families.sorted(by: { $0.rawValue < $1.rawValue }) {
      for (from, until) in zip(cuts, cuts.dropFirst()) {
        asked.append(.init(family: family, from: from, until: max(from, until)))
      }
      if withBefore {
        asked.append(
          .init(family: family, from: minute(of: earlier.from) + 1, until: minute(of: earlier.to)))
      }
    }
    let sums = try book.sums(asked)
    stretches = [TallyBook.Sums](repeating: [:], count: ends.count)
    let width = ends.count + (withBefore ? 1 : 0)
    for (place, sum) in sums.enumerated() {
      if place % width < ends.count { stretches[place % width].add(sum) } else { before.add(sum) }
    }
    for t in [earlier.from, window.from, window.to].dropFirst(withBefore ? 0 : 1) {
      let start = minuteStart(of: t)
      let end = t == window.to ? t : start + (Milliseconds.minute - 1)
      for mark in try EdgeRows(asking: asking).marks(of: families, from: start, through: end) {
        if window.contains(mark.at) {
          // A minute that the window ends within, or begins within, belongs to one stretch.
          stretches[window.stretch(of: mark.at)].add(book.keys.known(mark.key), mark.value)
        } else if withBefore, earlier.contains(mark.at) {
          before.add(book.keys.known(mark.key), mark.value)
        }
      }
    }
    for stretch in stretches { whole.add(stretch) }
  }
}
