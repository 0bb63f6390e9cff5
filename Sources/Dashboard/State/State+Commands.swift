import Screen
import Subscriptions

extension State {
  /// The windows that a key goes through, in days.
  static let windows = [7, 28, 90, 365]

  mutating func perform(_ command: Command) -> [Effect] {
    switch command {
    case .show(let panel): return show(panel)
    case .nextPanel: return show(panel(by: 1))
    case .previousPanel: return show(panel(by: -1))
    case .move(let movement): move(movement)
    case .open: return open()
    case .back: return back()
    case .leave: return leave()
    case .quit: return [.quit]
    case .find: prompt = Prompt(label: "find id: ")
    case .sweepDue: return startSweep(.due)
    case .sweepAll: return startSweep(.all)
    case .stopSweep: return stopSweep()
    case .reload: return reload()
    case .nextWindow:
      windowDays = State.windows.first { $0 > windowDays } ?? State.windows[0]
      return refresh()
    case .nextEnvironment:
      environment = environment.next
      return refresh()
    case .help: toggleHelp()
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    }
    return []
  }

  // MARK: Where one is

  /// Leads out of whatever stands over the panels.
  mutating func show(_ panel: Panel) -> [Effect] {
    let isHere = self.panel == panel && layers.isEmpty
    layers = []
    self.panel = panel
    inquiries.find = nil
    return isHere ? [] : refresh()
  }

  private func panel(by distance: Int) -> Panel {
    let all = Panel.allCases
    return all[(panelIndex + distance + all.count) % all.count]
  }

  private mutating func toggleHelp() {
    if case .help? = layers.last {
      layers.removeLast()
    } else {
      layers.append(.help(scroll: 0))
    }
  }

  /// Never out of the program.
  mutating func back() -> [Effect] {
    inquiries.find = nil
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
    return back()
  }

  // MARK: Enter

  mutating func open() -> [Effect] {
    guard let listing = mainListing, !listing.rows.isEmpty else { return [] }
    guard let selected = place?.selected else {
      goToList()
      return []
    }
    switch listing.openings[selected] {
    case .chain(let id)?: return find(id.rawValue, .open)
    case .product(let id)?: return filter(by: id)
    case .found(let index)?: openFound(index)
    case .nothing(let why)?: say(why)
    case nil: break
    }
    return []
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
