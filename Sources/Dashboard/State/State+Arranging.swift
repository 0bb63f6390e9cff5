import Screen
import Subscriptions

extension State {
  /// Rows that are asked for where somebody sorts or filters them; otherwise the newest are enough.
  package static let manyRows = 20_000

  /// Shows the list in another way. Where the store gave only some of its rows, more are asked for.
  mutating func arrange(_ change: (inout Arrangement) -> Void) -> [Effect] {
    guard let listScreen, let page, let whole = page.wholeListing else {
      say("There is no list to sort or filter here.")
      return []
    }
    var arrangement = arrangement(of: listScreen)
    change(&arrangement)
    arrangements[listScreen] = arrangement.isEmpty ? nil : arrangement
    // Who stands on the first row stays there, whichever that is now.
    let isFirst = page.cursor.spot != nil || page.cursor.selected == page.listing?.rows.first?.id
    self.page = page.arranged(by: arrangement)
    if isFirst { cursor?.selected = nil }
    lookAtList()
    return whole.total != nil && !arrangement.isEmpty && isAbridged ? refresh() : []
  }

  /// Brings the list into view, on the row that stood out where it is still there.
  mutating func lookAtList() {
    guard let page, let listing = page.listing, var cursor else { return }
    let layout = BlockLayout(page.blocks, in: Chrome(size).body.size, glyphs: glyphs)
    let isThere = listing.rows.contains { $0.id == cursor.selected }
    cursor.enterList(at: isThere ? cursor.selected : nil, in: layout, listing)
    self.cursor = cursor
  }

  /// Whether more rows could be asked for than were.
  private var isAbridged: Bool { readLimit.map { $0 < State.manyRows } ?? false }

  /// Whether more rows are wanted of the list shown than it was asked for.
  var isReadingFurther: Bool {
    guard let listScreen, let limit = readLimit, let wanted = reaches[listScreen] else { return false }
    return wanted > limit
  }

  /// How many rows the list shown was asked for.
  private var readLimit: Int? {
    if case .rows(let view)? = layers.last { return view.question.limit }
    return panel.flatMap { panels[$0]?.question.limit }
  }

  /// Rows before the end of what was read at which more is asked for.
  private static let margin = 60

  /// Asks for more of a list where the selection comes near the end of what was read, or the screen has room for more.
  mutating func readFurther() -> [Effect] {
    guard let listing = page?.wholeListing, let selected = cursor?.selected,
      listing.rows.count < size.rows
        || listing.rows.suffix(Self.margin).contains(where: { $0.id == selected })
    else { return [] }
    return read(times: 5)
  }

  /// Asks for so many times the rows that were read, where there are more and they are not asked for yet.
  mutating func read(times factor: Int) -> [Effect] {
    guard let listScreen, arrangement(of: listScreen).isEmpty, let limit = readLimit, limit < State.manyRows,
      limit >= reaches[listScreen] ?? Question.screenLimit, let listing = page?.wholeListing,
      let total = listing.total, total > listing.rows.count
    else { return [] }
    reaches[listScreen] = min(limit * factor, State.manyRows)
    return refresh()
  }

  // MARK: Sorting

  /// By the column right or left of the one it is sorted by; beyond the ends, as the list comes.
  mutating func sort(by distance: Int) -> [Effect] {
    let fields = page?.wholeListing?.fields ?? []
    return arrange { arrangement in
      let places = [nil] + fields.map(Optional.some)
      let here = places.firstIndex(of: arrangement.sort?.field) ?? 0
      let there = places[(here + distance + places.count) % places.count]
      arrangement.sort = there.map { Arrangement.Sort(field: $0, isDescending: false) }
    }
  }

  mutating func reverseSort() -> [Effect] {
    let first = page?.wholeListing?.fields.first
    return arrange { arrangement in
      if arrangement.sort != nil {
        arrangement.sort?.isDescending.toggle()
      } else if let first {
        arrangement.sort = Arrangement.Sort(field: first, isDescending: true)
      }
    }
  }

  /// - Parameter name: a column's name or what it begins with; empty takes the list as it comes.
  mutating func sort(byColumn name: String, descending isDescending: Bool) -> [Effect] {
    let fields = page?.wholeListing?.fields ?? []
    let wanted = name.lowercased()
    guard !wanted.isEmpty else { return arrange { $0.sort = nil } }
    guard let field = fields.first(where: { $0 == wanted }) ?? fields.first(where: { $0.hasPrefix(wanted) })
    else {
      say(Filter.Problem.field(name, known: fields).sentence.sentenceCase, .warn)
      return []
    }
    return arrange { $0.sort = Arrangement.Sort(field: field, isDescending: isDescending) }
  }

  // MARK: Filtering

  mutating func filter(by text: String) -> [Effect] {
    if let problem = problem(in: text) {
      say(problem.sentenceCase, .warn)
      return []
    }
    return arrange { $0.filter = text }
  }

  /// What is wrong with a filter for the list shown.
  func problem(in text: String) -> String? {
    guard let listing = page?.wholeListing else { return nil }
    do throws(Filter.Problem) {
      _ = try Filter(text, fields: listing.fieldNames)
      return nil
    } catch {
      return error.sentence
    }
  }

  /// To the next row that the last filter matches, round and round.
  mutating func seek(_ distance: Int) -> [Effect] {
    guard let listScreen, let listing = page?.listing, var cursor, let blocks else { return [] }
    let text = lastFilters[listScreen] ?? ""
    let matches = listing.matches(of: text)
    guard !matches.isEmpty else {
      say(text.isEmpty ? "Nothing has been filtered here; / begins." : "No row matches \(text).")
      return []
    }
    let here = listing.rows.firstIndex { $0.id == cursor.selected } ?? -1
    let places = matches.compactMap { id in listing.rows.firstIndex { $0.id == id } }
    let next =
      distance > 0
      ? places.first { $0 > here } ?? places[0] : places.last { $0 < here } ?? places[places.count - 1]
    let layout = BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs)
    cursor.enterList(at: listing.rows[next].id, in: layout, listing)
    self.cursor = cursor
    return []
  }
}

extension String {
  /// As a sentence of its own.
  var sentenceCase: String { prefix(1).uppercased() + dropFirst() + "." }
}
