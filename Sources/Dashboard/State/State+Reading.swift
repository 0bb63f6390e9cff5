import Screen
import Subscriptions

/// How much is read of the list that shows. It begins with its newest rows; whoever comes near their end has more of them read, and what
/// depends on every row (a filter, an order, a file) has all of them read, while keys are answered.
extension State {
  /// Rows of a list that are read at the most.
  package static let manyRows = 100_000

  /// Rows before the end of what was read at which more is asked for.
  private static let margin = 60

  /// Whether what is wanted of a list depends on every row that it has.
  func wantsWhole(_ list: ListScreen) -> Bool {
    if arrangement(of: list).needsEveryRow || awaitedExport?.list == list || awaitedSweep == list {
      return true
    }
    guard prompt != nil, list == listScreen else { return false }
    switch purpose {
    case .filter, .export: return true
    case .find, .command: return false
    }
  }

  /// How many rows a list is asked for.
  func limit(of list: ListScreen) -> Int {
    wantsWhole(list) && hasRows(list) ? State.manyRows : reaches[list] ?? Question.screenLimit
  }

  /// Whether it shows already: what is opened shows its newest rows before all of them are read.
  private func hasRows(_ list: ListScreen) -> Bool {
    switch list {
    case .panel(let panel): panels[panel] != nil
    default: list == listScreen
    }
  }

  /// How many rows the list shown was asked for.
  private var readLimit: Int? {
    if case .rows(let view)? = layers.last?.content { return view.question.limit }
    return layers.isEmpty ? panel.flatMap { panels[$0]?.question.limit } : nil
  }

  /// Whether the list shown lacks rows that could be read.
  private var isAbridged: Bool {
    page?.wholeListing?.total != nil && readLimit.map { $0 < State.manyRows } ?? false
  }

  /// Whether all of the list shown is on its way, of which only a part shows.
  var isReadingWhole: Bool {
    let asked = layers.isEmpty ? pending.load?.question.limit : pending.rows?.question.limit
    return isAbridged && asked == State.manyRows
  }

  /// What a filter, an order or a file has to wait for; nil where the list shown is whole.
  var readingNote: StyledText? {
    guard let whole = page?.wholeListing, let total = whole.total, let listScreen, wantsWhole(listScreen)
    else {
      return nil
    }
    guard isAbridged else { return [TextSpan(", of the newest \(CountText.of(whole.rows.count))", .warn)] }
    let read = (layers.isEmpty ? nil : pending.rows?.read?.rows) ?? whole.rows.count
    let end = pending.unreadable == listScreen ? "only \(CountText.of(read)) could be read" : nil
    return [
      TextSpan(
        ", \(end ?? "reading \(CountText.of(read)) of \(CountText.of(min(total, State.manyRows)))")", .info)
    ]
  }

  /// Asks for more of a list where more is wanted of it than was asked for; stops where that is no more.
  mutating func readFurther() -> [Effect] {
    guard let listScreen, let listing = page?.wholeListing else { return [] }
    if wantsWhole(listScreen) {
      return isAbridged && !isReadingWhole && pending.unreadable != listScreen ? refresh() : []
    }
    if isReadingWhole { return stopReading() }
    guard let limit = readLimit, limit >= reaches[listScreen] ?? Question.screenLimit, isAbridged,
      let selected = cursor?.selected,
      listing.rows.count < size.rows
        || listing.rows.suffix(Self.margin).contains(where: { $0.id == selected })
    else { return [] }
    reaches[listScreen] = min(limit * 5, State.manyRows)
    return refresh()
  }

  /// A list that was read whole and is not long stays whole when nothing depends on that any more.
  mutating func keepReach(of list: ListScreen, _ question: Question) {
    guard question.limit == State.manyRows, listScreen == list,
      page?.wholeListing?.rows.count ?? 0 <= ListWork.atOnce
    else { return }
    reaches[list] = State.manyRows
  }

  /// Lets go of all of a list that is on its way, and of whatever wanted it.
  mutating func giveUpReading() -> [Effect] {
    (awaitedExport, awaitedSweep) = (nil, nil)
    say("Stopped reading; the list is as it comes.")
    return stopReading()
      + arrange {
        $0.sort = nil
        $0.filter = ""
      }
  }

  private mutating func stopReading() -> [Effect] {
    guard layers.isEmpty else { return stopAsking() }
    pending.load = nil
    return []
  }

  /// Nobody waits any more for what was to be opened.
  mutating func stopAsking() -> [Effect] {
    let isReading = pending.rows != nil
    pending.leave()
    return isReading ? [.stopRows] : []
  }
}

extension PendingRequests {
  /// Whether a question asks for all of a list.
  func isWhole(_ serial: Int) -> Bool {
    (load?.serial == serial && load?.question.limit == State.manyRows)
      || (rows?.serial == serial && rows?.question.limit == State.manyRows)
  }
}
