import Screen

extension State {
  /// Shows the list in another way.
  mutating func arrange(_ change: (inout Arrangement) -> Void) -> [Effect] {
    guard let listScreen, page?.wholeListing != nil else {
      say("There is no list to sort or filter here.")
      return []
    }
    var arrangement = arrangement(of: listScreen)
    change(&arrangement)
    arrangements[listScreen] = arrangement.isEmpty ? nil : arrangement
    return rearrange(listScreen) + leaveOfferFiltered()
  }

  /// Arranges the list shown as somebody wants it, where it is not: at once, or a long one away from the keys.
  mutating func rearrange(_ listScreen: ListScreen) -> [Effect] {
    let arrangement = arrangement(of: listScreen)
    guard listScreen == self.listScreen, let page, let whole = page.wholeListing else { return [] }
    pending.arranging = nil
    guard page.arrangement != arrangement else { return [] }
    // Who stands on the first row stays there, whichever that is now.
    let isAtFirst = page.cursor.spot != nil || page.cursor.selected == page.listing?.rows.first?.id
    guard whole.rows.count > ListWork.atOnce else {
      show(page.arranged(by: arrangement), isAtFirst: isAtFirst)
      return []
    }
    let serial = pending.nextSerial()
    pending.arranging = PendingRequests.Arranging(serial: serial, list: listScreen, isAtFirst: isAtFirst)
    return [.arrange(ListWork(source: .page(page), arrangement: arrangement), serial: serial)]
  }

  /// - Parameter isAtFirst: whether the selection goes to the first row, rather than to stay on its own.
  mutating func show(_ arranged: Page, isAtFirst: Bool) {
    var arranged = arranged
    if let cursor { arranged.cursor = cursor }
    page = arranged
    if isAtFirst { cursor?.selected = nil }
    lookAtList()
  }

  /// Brings the list into view, on the row that stood out where it is still there.
  mutating func lookAtList() {
    guard let page, let listing = page.listing, var cursor else { return }
    let layout = layout(of: page.blocks)
    let isThere = listing.rows.contains { $0.id == cursor.selected }
    cursor.enterList(at: isThere ? cursor.selected : nil, in: layout, listing)
    self.cursor = cursor
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
    guard !name.isEmpty else { return arrange { $0.sort = nil } }
    guard let field = fields.field(name) else {
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
      _ = try listing.filter(text)
      return nil
    } catch {
      return error.sentence
    }
  }

  /// To the next row that the last filter matches, round and round.
  mutating func seek(_ step: Int) -> [Effect] {
    guard let listScreen, let listing = page?.listing, var cursor, let blocks else {
      say("There is no list to go through here.")
      return []
    }
    let text = lastFilters[listScreen] ?? ""
    let here = listing.rows.firstIndex { $0.id == cursor.selected }
    guard let next = listing.match(of: text, from: here, by: step) else {
      say(text.isEmpty ? "Nothing has been filtered here; / begins." : "No row matches \(text).")
      return []
    }
    let layout = layout(of: blocks)
    cursor.enterList(at: listing.rows[next].id, in: layout, listing)
    self.cursor = cursor
    return []
  }
}
