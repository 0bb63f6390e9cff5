import Screen
import Subscriptions

extension State {
  /// Windows in the order of the key that cycles them, beginning with the default window.
  static let windows: [WindowChoice] = [
    .days(28), .days(90), .days(365), .all, .days(7), .current(.month), .last(.month),
  ]

  mutating func perform(_ command: Command) -> [Effect] {
    switch command {
    case .show(let tab): return show(tab)
    case .nextPanel: return show(tab(by: 1))
    case .previousPanel: return show(tab(by: -1))
    case .move(let movement): move(movement)
    case .moveAside(let side): return moveAside(side)
    case .goToBox(let side): return moveAside(side, isFromAnywhere: true)
    case .nextFigure: return showFigure(by: 1)
    case .previousFigure: return showFigure(by: -1)
    case .open: return open()
    case .back: return back()
    case .leave: return leave(by: keys.bindings.first { $0.command == .leave }?.keys.first ?? .unknown)
    case .quit: return [.quit]
    case .find: ask("find: ", for: .find)
    case .findID(let id): return find(.id(id), .open)
    case .findOffer(let name): return show(offer: name)
    case .figure(let panel, let path):
      return show(.panel(panel)) + askRows(RowsView.Subject(panel: panel, figures: [path]), .open)
    case .receipts(let question): return show(.sweep) + askReceipts(question, .open)
    case .filter:
      showFieldsOfChain()
      return beginFilter()
    case .filterBy(let text): return filter(by: text)
    case .nextMatch: return seek(1)
    case .previousMatch: return seek(-1)
    case .sortRight: return sort(by: 1)
    case .sortLeft: return sort(by: -1)
    case .reverseSort: return reverseSort()
    case .sortBy(let column, let isDescending): return sort(byColumn: column, descending: isDescending)
    case .hide(let field): return arrange { $0.hidden.insert(field) }
    case .unhide(let field?): return arrange { $0.hidden.remove(field) }
    case .unhide(nil): return arrange { $0.hidden = [] }
    case .palette: ask(":", for: .command)
    case .copy: return copy()
    case .copyRow: return copyRow()
    case .copyTicket: return copyTicket()
    case .export:
      showFieldsOfChain()
      return beginExport()
    case .exportTo(let path): return export(to: path)
    case .toggleMouse:
      takesMouse.toggle()
      say(takesMouse ? "Mouse on. Hold Shift to select text." : "Mouse off. The terminal handles it.")
      return [.setMouse(takesMouse)]
    case .sweepDue: return startSweep(.due)
    case .sweepAll: return askSweep(.selection(.all), of: "every receipt")
    case .sweepList: return sweepList()
    case .mark: return mark()
    case .unmark: return unmark()
    case .sweepDead:
      guard sweepView.queue?.dead.isEmpty != true else { return say("There are no given-up receipts.") }
      return startSweep(.dead)
    case .sweepChain: return sweepChain()
    case .pauseOrResume: return pauseOrResume()
    case .stopSweep: return stopSweep()
    case .nextTheme: return themes.following(theme).map { show(theme: $0) } ?? []
    case .theme(let name): return show(theme: name)
    case .reload: return readOnce()
    case .nextWindow:
      guard foundOffer == nil else { return perform(.window(.days(7))) }
      return perform(.window(State.windows.following(chosenWindow) ?? .all))
    case .window(let choice):
      // The list keeps the filter for the offer that a search has found.
      if foundOffer != nil { arrangements[Panel.offers.rawValue] = arrangement(of: Panel.offers.rawValue) }
      foundOffer = nil
      chosenWindow = choice
      notice = nil
      sayPeriod()
      return refreshAtOnce()
    case .nextEnvironment:
      return perform(.environment([.production, .sandbox, .all].following(environment) ?? .production))
    case .environment(let scope): return refreshAtOnce { $0.environment = scope }
    case .product(let id): return refreshAtOnce { $0.product = id }
    case .nextSplit: return showMovement(by: [.product, .storefront, .kind, .currency])
    case .nextStretch: return showMovement(by: [.week, .month])
    case .nextZone: return zones.following(zone).map { show(in: $0) } ?? []
    case .zone(let name): return zones.first { $0.name == name }.map { show(in: $0) } ?? []
    case .pickProduct: return pickProduct()
    case .storefront(let scope): return refreshAtOnce { $0.narrowing.storefront = scope }
    case .offer(let scope): return refreshAtOnce { $0.narrowing.offer = scope }
    case .numbers: viewCohorts { view, _ in view.isAbsolute.toggle() }
    case .nextMeasure: viewCohorts { $0.goOn(in: $1) }
    case .json: return showFurther()
    case .help: toggleHelp()
    case .compare: return beginComparing()
    case .compareWith(let comparison): return compare(comparison, .open)
    case .alerts: showAlerts()
    case .earlierView: return goBack()
    case .laterView: return goForward()
    case .boxes: return showBoxes()
    case .howTo: showHowTo()
    case .moveBox(let side): return moveBox(side)
    case .hideBox: return arrangeBox { $0.hidden.formSymmetricDifference([$1]) }
    case .freeze: return toggleFreeze()
    case .messages: showMessages()
    case .own(let command): return run(command)
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    }
    return []
  }

  private mutating func showMovement(by splits: [MovementSplit]) -> [Effect] {
    guard tab == .panel(.movement) else {
      return say("Only the Movement panel can be split; \(Tab.panel(.movement).key) opens it.")
    }
    let next = movementSplit.flatMap(splits.firstIndex).map { $0 + 1 } ?? 0
    movementSplit = next < splits.count ? splits[next] : nil
    return refresh()
  }

  private mutating func sayPeriod() {
    let asked = asked(Question(panel: .overview, at: asOf))
    guard let period = asked.window.period, let before = asked.before.window.period else { return }
    say(
      asked.window.isWhole
        ? "\(period) (\(zone.name)), balances at its end, against \(before)."
        : "\(period) to date (\(zone.name)), against \(before) to the same day.")
  }

  // MARK: Navigation

  mutating func show(_ tab: Tab) -> [Effect] {
    let isHere = self.tab == tab && layers.isEmpty
    let stopped = stopAsking()
    layers = []
    self.tab = tab
    // If a query of the queue is pending, its answer is enough.
    let isComing = tab == .sweep && pending[.queue] != nil
    return stopped + (isHere || isComing ? [] : refresh())
  }

  private func tab(by distance: Int) -> Tab {
    Tab.all[(tabIndex + distance + Tab.all.count) % Tab.all.count]
  }

  private mutating func toggleHelp() {
    if case .help? = top {
      layers.removeLast()
    } else {
      let block = keys.block(
        readOnly: isReadOnly, from: context, figuresOf: panel, columns: Chrome(size).body.size.columns,
        in: glyphs)
      push(.help, [block])
    }
  }

  /// Stops reading a list, or else removes its filter, closes the top layer, or removes the narrowing.
  mutating func back() -> [Effect] {
    if isReadingWhole { return giveUpReading() }
    let stopped = stopAsking()
    if !arrangement.filter.isEmpty {
      let effects = arrange { $0.filter = "" }
      say("Filter removed; / sets a new one.")
      return stopped + effects
    }
    return stopped + close()
  }

  private mutating func close() -> [Effect] {
    notice = nil
    if !layers.isEmpty {
      layers.removeLast()
      return refresh()
    }
    guard !shownNarrowing.isEmpty else { return [] }
    narrowing.clear(supportedBy: panel)
    return refresh()
  }

  /// Whether the first tab is shown without layers or narrowing, so that `leave` asks whether to quit.
  var isAtTop: Bool { layers.isEmpty && shownNarrowing.isEmpty && tab == Tab.all[0] }

  /// Closes a layer, or else removes a narrowing, or else shows the first tab, or else asks whether to quit.
  mutating func leave(by key: Key) -> [Effect] {
    if isTooSmall || isAtTop { return askToQuit(by: key) }
    return layers.isEmpty && shownNarrowing.isEmpty ? show(Tab.all[0]) : stopAsking() + close()
  }

  mutating func askToQuit(by key: Key) -> [Effect] {
    if !isTemporary { say("Press \(key.name) again to quit\(sweep.isActive ? " and stop the sweep" : "").") }
    quitKey = key
    return []
  }

  // MARK: Enter

  mutating func open() -> [Effect] {
    switch drillDown {
    case .chain(let id)?: return find(.id(id.rawValue), .open)
    case .transaction(let id)?: showFieldsOfChain(id)
    case .receipt(let id)?: return find(.receipt(id), .open)
    case .receipts(let question)?: return askReceipts(question, .open)
    case .product(let id)? where product == id:
      product = nil
      say("Showing all products.")
      return refresh()
    case .product(let id)?:
      showAlone(id)
      return refresh()
    case .only(let narrowing)?:
      layers.removeLast()
      self.narrowing = narrowing
      return refresh()
    case .found(let index)?:
      for chain in foundChains.dropFirst(index).prefix(1) { layers.append(layer(of: chain, asOf)) }
      settle()
    case .comparison(let comparison)?:
      layers.removeLast()
      return compare(comparison, .open)
    case .sides(let figure)?: return openSides(of: figure)
    case .alert(let index)?: return openAlert(index)
    case .rows(let breakdown)?:
      guard let panel else { return [] }
      let subject = RowsView.Subject(
        panel: breakdown.panel ?? panel, figures: breakdown.figures, index: breakdown.first)
      return askRows(subject, .open)
    case .run(let command)?: return run(command)
    case .box(let box)?:
      arrangeBoxes { boxes in
        if let box { boxes.hidden.formSymmetricDifference([box]) } else { boxes = OverviewBoxes() }
      }
    case .filter(let text)?: return filter(by: text)
    case .reconciled(let figure, let currency)?: open(figure, currency)
    case .tab(let tab)?: return show(tab)
    case nil: say("There is nothing to open here.")
    }
    return []
  }

  /// Closes the help, and runs a command on the screen below it.
  private mutating func run(_ command: Command) -> [Effect] {
    layers.removeLast()
    let name = keys.bindings.first { $0.command == command }?.name ?? ""
    let refusal = keys.refusal(of: name, in: context, readOnly: isReadOnly) { $0.command == command }
    return refusal.map { say($0) } ?? perform(command)
  }

  var foundChains: [ChainReport] { if case .chains(_, let chains)? = top { chains } else { [] } }

  var drillDown: DrillDown? {
    guard let blocks, let cursor else { return nil }
    if let spot = cursor.spot {
      return layout(of: blocks).spots.first { $0.id == spot }?.drillDown
    }
    return cursor.selected.flatMap { page?.listing?.drillDown(of: $0, across: cursor.across) }
  }

  private mutating func showFigure(by distance: Int) -> [Effect] {
    guard case .rows(let view)? = top, view.subject.figures.count > 1 else {
      return say("There is no other figure here.")
    }
    var subject = view.subject
    let count = subject.figures.count
    subject.index = (subject.index + distance + count) % count
    return askRows(subject, .refresh)
  }

  mutating func showAlone(_ id: ProductID) {
    product = id
    say("Showing only \(id); Esc shows all products.")
  }

  /// Shows the uses of an offer over the whole history, until another tab, filter or window is chosen.
  private mutating func show(offer: String) -> [Effect] {
    let effects = show(.panel(.offers))
    panels[.offers]?.page.cursor = ListCursor()
    foundOffer = offer.filter { $0 != "\"" }
    say(offer + Self.everyOfferAgain)
    return effects + refreshAtOnce()
  }
}

extension Array where Element: Equatable {
  fileprivate func following(_ element: Element) -> Element? {
    isEmpty ? nil : self[((firstIndex(of: element) ?? -1) + 1) % count]
  }
}
