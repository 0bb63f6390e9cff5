import Screen
import Subscriptions

/// Incremental reading of lists. A list starts with its newest rows, and more are read when the selection
/// comes near the end. A filter, a sort order, an export or a sweep reads all rows, without blocking keys.
extension State {
  /// Maximum number of rows that are read.
  package static let manyRows = 100_000

  /// Distance from the last row at which more rows are read.
  private static let margin = 60

  /// Whether the list must be complete, for a filter, a sort order, an export or a sweep.
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

  func limit(of list: ListScreen) -> Int {
    wantsWhole(list) && hasRows(list) ? State.manyRows : reaches[list] ?? Question.screenLimit
  }

  /// Whether the list is visible already. A new list shows its newest rows before it is read completely.
  private func hasRows(_ list: ListScreen) -> Bool {
    switch list {
    case .panel(let panel): panels[panel] != nil
    default: list == listScreen
    }
  }

  private var readLimit: Int? {
    if case .rows(let view)? = layers.last?.content { return view.question.limit }
    return layers.isEmpty ? panel.flatMap { panels[$0]?.question.limit } : nil
  }

  /// Whether more rows of the current list could be read.
  private var isAbridged: Bool {
    page?.wholeListing?.total != nil && readLimit.map { $0 < State.manyRows } ?? false
  }

  /// Whether the current list is incomplete and a query for all of its rows is pending.
  var isReadingWhole: Bool {
    let asked = layers.isEmpty ? pending.load?.question.limit : pending.rows?.question.limit
    return isAbridged && asked == State.manyRows
  }

  /// Title's suffix about reading progress; `nil` if the list is complete or need not be.
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

  /// Queries more rows if they are needed, and stops if they no longer are.
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

  /// Keeps a short list complete after it was read completely once.
  mutating func keepReach(of list: ListScreen, _ question: Question) {
    guard question.limit == State.manyRows, listScreen == list,
      page?.wholeListing?.rows.count ?? 0 <= ListWork.atOnce
    else { return }
    reaches[list] = State.manyRows
  }

  /// Cancels reading a complete list, and the filter, sort order, export or sweep that needs it.
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

  mutating func stopAsking() -> [Effect] {
    let isReading = pending.rows != nil
    pending.leave()
    return isReading ? [.stopRows] : []
  }
}

extension PendingRequests {
  func isWhole(_ serial: Int) -> Bool {
    (load?.serial == serial && load?.question.limit == State.manyRows)
      || (rows?.serial == serial && rows?.question.limit == State.manyRows)
  }
}
