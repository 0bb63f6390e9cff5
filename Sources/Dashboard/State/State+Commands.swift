import Screen
import Subscriptions

extension State {
  /// The windows that a key goes through, in days; after them comes all that is known.
  static let windows = [7, 28, 90, 365]

  mutating func perform(_ command: Command) -> [Effect] {
    switch command {
    case .show(let tab): return show(tab)
    case .nextPanel: return show(tab(by: 1))
    case .previousPanel: return show(tab(by: -1))
    case .move(let movement): move(movement)
    case .moveAside(let side): return moveAside(side)
    case .nextFigure: return showFigure(by: 1)
    case .previousFigure: return showFigure(by: -1)
    case .open: return open()
    case .back: return back()
    case .leave: return leave()
    case .quit: return [.quit]
    case .find: ask("find id: ", for: .find)
    case .findID(let id): return find(.id(id), .open)
    case .filter: beginFilter()
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
    case .export:
      beginExport()
      // While somebody types where to.
      return read(times: State.manyRows)
    case .exportTo(let path): return export(to: path)
    case .toggleMouse:
      takesMouse.toggle()
      say(takesMouse ? "The mouse is heard; Shift selects text." : "The mouse is the terminal's own.")
      return [.setMouse(takesMouse)]
    case .sweepDue: return startSweep(.due)
    case .sweepAll: return startSweep(.all)
    case .sweepDead: return startSweep(.dead)
    case .sweepChain: return sweepChain()
    case .pauseOrResume: return pauseOrResume()
    case .stopSweep: return stopSweep()
    case .nextTheme:
      let here = themes.firstIndex(of: theme) ?? -1
      return themes.isEmpty ? [] : show(theme: themes[(here + 1) % themes.count])
    case .theme(let name): return show(theme: name)
    case .reload: return reload()
    case .nextWindow:
      chosenDays = chosenDays.map { days in State.windows.first { $0 > days } } ?? State.windows[0]
      return refresh()
    case .window(let days):
      chosenDays = days
      return refresh()
    case .nextEnvironment:
      environment = environment.next
      return refresh()
    case .environment(let scope):
      environment = scope
      return refresh()
    case .product(let id):
      product = id
      return refresh()
    case .nextZone:
      let here = zones.firstIndex(of: zone) ?? -1
      return show(in: zones[(here + 1) % zones.count])
    case .zone(let name): return zones.first { $0.name == name }.map { show(in: $0) } ?? []
    case .pickProduct: pickProduct()
    case .json: return askJSON()
    case .help: toggleHelp()
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    }
    return []
  }

  // MARK: Where one is

  /// Leads out of whatever stands over the tabs.
  mutating func show(_ tab: Tab) -> [Effect] {
    let isHere = self.tab == tab && layers.isEmpty
    layers = []
    self.tab = tab
    pending.find = nil
    pending.rows = nil
    // Who only passes by again waits for the answer that is to come anyway.
    let isComing = tab == .sweep && pending.queue != nil
    return isHere || isComing ? [] : refresh()
  }

  private func tab(by distance: Int) -> Tab {
    Tab.all[(tabIndex + distance + Tab.all.count) % Tab.all.count]
  }

  private mutating func toggleHelp() {
    if case .help? = layers.last {
      layers.removeLast()
    } else {
      let block = keys.block(readOnly: isReadOnly, from: context, in: glyphs)
      layers.append(.help(Page([block], arrangement(of: .keys))))
      settle()
    }
  }

  /// Never out of the program.
  mutating func back() -> [Effect] {
    pending.find = nil
    pending.rows = nil
    if !arrangement.filter.isEmpty {
      say("Every row again; / filters.")
      return arrange { $0.filter = "" }
    }
    return close()
  }

  /// What stands over the rest, or the choice of a product.
  private mutating func close() -> [Effect] {
    // What was said is of where one was.
    notice = nil
    if !layers.isEmpty {
      layers.removeLast()
      return refresh()
    }
    guard product != nil else { return [] }
    product = nil
    return refresh()
  }

  mutating func leave() -> [Effect] {
    if isTooSmall || (layers.isEmpty && product == nil) { return [.quit] }
    pending.find = nil
    pending.rows = nil
    return close()
  }

  // MARK: Enter

  mutating func open() -> [Effect] {
    switch opening {
    case .chain(let id)?: return find(.id(id.rawValue), .open)
    case .receipt(let id)?: return find(.receipt(id), .open)
    case .product(let id)?: return filter(by: id)
    case .only(let id)?:
      layers.removeLast()
      product = id
      return refresh()
    case .found(let index)?: openFound(index)
    case .rows(let breakdown)?:
      guard let panel else { return [] }
      let subject = RowsView.Subject(
        panel: panel, figures: breakdown.figures, index: breakdown.first)
      return askRows(subject, .open)
    case .run(let command)?: return run(command)
    case nil: break
    }
    return []
  }

  /// From the list of keys, on the screen below it.
  private mutating func run(_ command: Command) -> [Effect] {
    layers.removeLast()
    guard
      keys.bindings(readOnly: isReadOnly).contains(where: {
        $0.command == command && $0.contexts.contains(context)
      })
    else {
      say("\(command.name) does nothing on this screen.")
      return []
    }
    return perform(command)
  }

  /// What the selection opens.
  var opening: Opening? {
    guard let blocks, let cursor else { return nil }
    if let spot = cursor.spot {
      return BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs).spots.first { $0.id == spot }?
        .opening
    }
    return cursor.selected.flatMap { mainListing?.openings[$0] }
  }

  /// Goes round the figures that the row or bar stands for from which one came.
  private mutating func showFigure(by distance: Int) -> [Effect] {
    guard case .rows(let view)? = layers.last, view.subject.figures.count > 1 else { return [] }
    var subject = view.subject
    let count = subject.figures.count
    subject.index = (subject.index + distance + count) % count
    return askRows(subject, .refresh)
  }

  private mutating func filter(by id: ProductID) -> [Effect] {
    product = product == id ? nil : id
    say(product == nil ? "Every product." : "\(id) alone; Esc shows every product again.")
    return refresh()
  }

  private mutating func openFound(_ index: Int) {
    guard case .chains(let view)? = layers.last, view.chains.indices.contains(index) else { return }
    layers.append(.chain(ChainView(view.chains[index], at: asOf, in: wording)))
  }
}

extension EnvironmentScope {
  var next: EnvironmentScope {
    switch self {
    case .production: .sandbox
    case .sandbox: .all
    case .all: .production
    }
  }
}
