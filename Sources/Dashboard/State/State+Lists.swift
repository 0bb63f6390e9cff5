import Screen
import Subscriptions

extension State {
  mutating func arrange(_ change: (inout ListOptions) -> Void) -> [Effect] {
    guard let listName, page?.wholeListing != nil else {
      return say("There is no list to sort or filter here.")
    }
    let old = arrangement(of: listName)
    var new = old
    change(&new)
    // An offer that a search has found has its own filter and window until the user sets another filter.
    let isVisit = foundOffer != nil && listName == Panel.offers.rawValue
    let isLeaving = isVisit && new.filter != old.filter
    if isLeaving { foundOffer = nil }
    if isVisit, !isLeaving { new.filter = arrangements[listName]?.filter ?? "" }
    arrangements[listName] = new.isEmpty ? nil : new
    return rearrange(listName) + (isLeaving ? refreshAtOnce() : [])
  }

  /// Sorts and filters `list` if it is visible and its options have changed; a long list uses another thread.
  mutating func rearrange(_ list: String) -> [Effect] {
    let arrangement = arrangement(of: list)
    guard list == listName, let page, let whole = page.wholeListing else { return [] }
    pending[.arranging] = nil
    guard page.arrangement != arrangement else { return [] }
    // If the first row or a figure is selected, the new first row gets the selection.
    let isAtFirst = page.cursor.spot != nil || page.cursor.selected == page.listing?.rows.first?.id
    guard whole.rows.count > ListWork.atOnce else {
      show(page.arranged(by: arrangement), isAtFirst: isAtFirst)
      return []
    }
    let serial = pending.ask(.arranging, .list(list, isAtFirst: isAtFirst))
    return [.arrange(ListWork(source: .page(page), arrangement: arrangement), serial: serial)]
  }

  /// Shows a newly arranged list; keeps the selected row or, if `isAtFirst`, selects the first row.
  mutating func show(_ arranged: Page, isAtFirst: Bool) {
    var arranged = arranged
    if let cursor { arranged.cursor = cursor }
    page = arranged
    if isAtFirst { cursor?.selected = nil }
    lookAtList()
  }

  /// Brings the list into view, with the selected row if it still exists.
  mutating func lookAtList() {
    guard let page, let listing = page.listing else { return }
    let layout = layout(of: page.blocks)
    let kept = listing.rows.first { $0.id == page.cursor.selected }?.id
    cursor?.enterList(at: kept, in: layout, listing)
  }

  // MARK: Sorting

  /// Sorts by the next column to the right or left; past the last or first one, restores the original order.
  mutating func sort(by distance: Int) -> [Effect] {
    let fields = page?.wholeListing?.fields ?? []
    return arrange { arrangement in
      let places = [nil] + fields.map(Optional.some)
      let here = places.firstIndex(of: arrangement.sort?.field) ?? 0
      let there = places[(here + distance + places.count) % places.count]
      arrangement.sort = there.map { ListOptions.Sort(field: $0, isDescending: false) }
    }
  }

  mutating func reverseSort() -> [Effect] {
    let first = page?.wholeListing?.fields.first
    return arrange { arrangement in
      if arrangement.sort != nil {
        arrangement.sort?.isDescending.toggle()
      } else if let first {
        arrangement.sort = ListOptions.Sort(field: first, isDescending: true)
      }
    }
  }

  mutating func sort(byColumn name: String, descending isDescending: Bool) -> [Effect] {
    guard !name.isEmpty else { return arrange { $0.sort = nil } }
    guard let field = page?.wholeListing?.field(name) else {
      let known = page?.wholeListing?.columns.map(\.heading) ?? []
      return say(Filter.Problem.field(name, known: known).sentence.sentenceCase, .warn)
    }
    return arrange { $0.sort = ListOptions.Sort(field: field, isDescending: isDescending) }
  }

  // MARK: Filtering

  mutating func filter(by text: String) -> [Effect] {
    if let problem = problem(in: text) { return say(problem.sentenceCase, .warn) }
    if let listName, !text.isEmpty { lastFilters[listName] = text }
    return text == arrangement.filter ? [] : arrange { $0.filter = text }
  }

  func problem(in text: String) -> String? {
    guard let listing = page?.wholeListing else { return nil }
    do throws(Filter.Problem) {
      _ = try listing.filter(text)
      return nil
    } catch {
      return error.sentence
    }
  }

  /// Selects the next (1) or previous (-1) row that the last filter matches, wrapping around.
  mutating func seek(_ step: Int) -> [Effect] {
    guard let listName, let page, let listing = page.listing else {
      return say("There is no list to search here.")
    }
    let text = lastFilters[listName] ?? ""
    let here = listing.rows.firstIndex { $0.id == page.cursor.selected }
    guard let next = listing.match(of: text, from: here, by: step) else {
      return say(text.isEmpty ? "No filter has been used here; / sets one." : "No row matches \(text).")
    }
    let layout = layout(of: page.blocks)
    cursor?.enterList(at: listing.rows[next].id, in: layout, listing)
    return []
  }
}

/// Incremental reading of lists, which does not delay keys.
///
/// A list starts with its newest rows, and more are read when the selection comes near the end. A filter, a
/// sort order, an export or a sweep reads all rows.
extension State {
  /// Maximum number of rows that are read.
  package static let manyRows = 100_000

  /// Number of rows at the end of a list; if one of them is selected, more rows are read.
  private static let margin = 60

  /// Whether a filter, a sort order, an export or a sweep needs the complete list.
  func wantsWhole(_ list: String) -> Bool {
    if arrangement(of: list).needsEveryRow || awaitedList?.name == list { return true }
    switch prompting?.purpose {
    case .filter?, .export?: return list == listName
    case .find?, .command?, nil: return false
    }
  }

  func limit(of list: String) -> Int {
    wantsWhole(list) && hasRows(list) ? State.manyRows : reaches[list] ?? Question.screenLimit
  }

  /// Whether the list has rows already; a new list shows its newest rows before all rows are read.
  private func hasRows(_ list: String) -> Bool {
    Panel(rawValue: list).map { panels[$0] != nil } ?? (list == listName)
  }

  private var readLimit: Int? {
    if case .rows(let view)? = top { return view.question.limit }
    return layers.isEmpty ? panel.flatMap { panels[$0]?.question.limit } : nil
  }

  /// Whether more rows of the current list could be read.
  private var isAbridged: Bool {
    page?.wholeListing?.total != nil && readLimit.map { $0 < State.manyRows } ?? false
  }

  var isReadingWhole: Bool {
    isAbridged && pending[layers.isEmpty ? .panel : .rows]?.isOfWhole == true
  }

  /// Reading progress for the end of the title; `nil` if the list is complete, or need not be complete.
  var readingNote: StyledText? {
    guard let whole = page?.wholeListing, let total = whole.total, let listName, wantsWhole(listName)
    else { return nil }
    guard isAbridged else { return [TextSpan(", of the newest \(CountText.of(whole.rows.count))", .warn)] }
    let read = (layers.isEmpty ? nil : pending[.rows]?.read) ?? whole.rows.count
    let end = pending.unreadable == listName ? "only \(CountText.of(read)) could be read" : nil
    return [
      TextSpan(
        ", \(end ?? "reading \(CountText.of(read)) of \(CountText.of(min(total, State.manyRows)))")", .info)
    ]
  }

  /// Queries more rows if they are needed, and cancels the reading of all rows if these are no longer needed.
  mutating func readFurther() -> [Effect] {
    guard let listName, let listing = page?.wholeListing else { return [] }
    if wantsWhole(listName) {
      return isAbridged && !isReadingWhole && pending.unreadable != listName ? refresh() : []
    }
    if isReadingWhole { return stopReading() }
    guard let limit = readLimit, limit >= reaches[listName] ?? Question.screenLimit, isAbridged,
      let selected = cursor?.selected,
      listing.rows.count < size.rows
        || listing.rows.suffix(Self.margin).contains(where: { $0.id == selected })
    else { return [] }
    reaches[listName] = min(limit * 5, State.manyRows)
    return refresh()
  }

  /// Makes later refreshes read the whole list, if it is short and has been read completely.
  mutating func keepReach(of list: String, _ question: Question) {
    guard question.limit == State.manyRows, list == listName,
      page?.wholeListing?.rows.count ?? 0 <= ListWork.atOnce
    else { return }
    reaches[list] = State.manyRows
  }

  /// Stops reading the whole list, and cancels the filter, sort order, export or sweep that needs it.
  mutating func giveUpReading() -> [Effect] {
    awaitedList = nil
    let isArranged = arrangement.sort != nil || !arrangement.filter.isEmpty
    say("Stopped reading\(isArranged ? "; the filter and the sort order were removed" : "").")
    return stopReading()
      + arrange {
        $0.sort = nil
        $0.filter = ""
      }
  }

  private mutating func stopReading() -> [Effect] {
    guard layers.isEmpty else { return stopAsking() }
    pending[.panel] = nil
    return []
  }

  mutating func stopAsking() -> [Effect] {
    let isReading = pending[.rows] != nil
    pending.leave()
    return isReading ? [.stopRows] : []
  }

  mutating func note(read: Int, serial: Int) {
    if pending.awaited(.rows, serial) != nil { pending[.rows]?.read = read }
  }

  /// Suffix of an export path that requests a second file, with the description of the list.
  private static let meta = " --meta"

  /// Exports the awaited list, or asks whether to sweep it, once its reading has ended.
  mutating func actWhenRead() -> [Effect] {
    guard let awaited = awaitedList else { return [] }
    if listName == awaited.name, isReadingWhole || pending[.arranging] != nil { return [] }
    awaitedList = nil
    guard listName == awaited.name else {
      return say(
        "Nothing was \(awaited.path == nil ? "swept" : "written"): the screen shows another list now.", .warn)
    }
    guard let path = awaited.path else { return askSweepOfList() }
    guard pending.unreadable != awaited.name, var table = tableExport else {
      return say("Nothing was written: the list could not be read completely.", .bad)
    }
    table.hasMeta = path.hasSuffix(Self.meta)
    let file = table.hasMeta ? String(path.dropLast(Self.meta.count)) : path
    exported.insert(file)
    return [.export(table, to: file)]
  }
}
