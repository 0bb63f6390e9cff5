import Screen

extension State {
  mutating func arrange(_ change: (inout ListOptions) -> Void) -> [Effect] {
    guard let listScreen, page?.wholeListing != nil else {
      say("There is no list to sort or filter here.")
      return []
    }
    var arrangement = arrangement(of: listScreen)
    change(&arrangement)
    arrangements[listScreen] = arrangement.isEmpty ? nil : arrangement
    return rearrange(listScreen) + leaveOfferFiltered()
  }

  /// Arranges the current list if it is out of date: at once, or on another thread if it is long.
  mutating func rearrange(_ listScreen: ListScreen) -> [Effect] {
    let arrangement = arrangement(of: listScreen)
    guard listScreen == self.listScreen, let page, let whole = page.wholeListing else { return [] }
    pending.arranging = nil
    guard page.arrangement != arrangement else { return [] }
    // If the first row or a figure is selected, the new first row gets the selection.
    let isAtFirst = page.cursor.spot != nil || page.cursor.selected == page.listing?.rows.first?.id
    guard whole.rows.count > ListWork.atOnce else {
      show(page.arranged(by: arrangement), isAtFirst: isAtFirst)
      return []
    }
    let serial = pending.nextSerial()
    pending.arranging = PendingRequests.Arranging(serial: serial, list: listScreen, isAtFirst: isAtFirst)
    return [.arrange(ListWork(source: .page(page), arrangement: arrangement), serial: serial)]
  }

  /// - Parameter isAtFirst: Whether to select the first row instead of keeping the selection.
  mutating func show(_ arranged: Page, isAtFirst: Bool) {
    var arranged = arranged
    if let cursor { arranged.cursor = cursor }
    page = arranged
    if isAtFirst { cursor?.selected = nil }
    lookAtList()
  }

  /// Brings the list into view, with the selected row if it still exists.
  mutating func lookAtList() {
    guard let page, let listing = page.listing, var cursor else { return }
    let layout = layout(of: page.blocks)
    let isThere = listing.rows.contains { $0.id == cursor.selected }
    cursor.enterList(at: isThere ? cursor.selected : nil, in: layout, listing)
    self.cursor = cursor
  }

  // MARK: Sorting

  /// Sorts by the next column to the right or left. Beyond the ends, the list has its own order.
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

  /// - Parameter name: Name of a column or its prefix. An empty name restores the list's own order.
  mutating func sort(byColumn name: String, descending isDescending: Bool) -> [Effect] {
    let fields = page?.wholeListing?.fields ?? []
    guard !name.isEmpty else { return arrange { $0.sort = nil } }
    guard let field = fields.field(name) else {
      say(Filter.Problem.field(name, known: fields).sentence.sentenceCase, .warn)
      return []
    }
    return arrange { $0.sort = ListOptions.Sort(field: field, isDescending: isDescending) }
  }

  // MARK: Filtering

  mutating func filter(by text: String) -> [Effect] {
    if let problem = problem(in: text) {
      say(problem.sentenceCase, .warn)
      return []
    }
    return arrange { $0.filter = text }
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

  /// Selects the next row that the last filter matches, wrapping around.
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
