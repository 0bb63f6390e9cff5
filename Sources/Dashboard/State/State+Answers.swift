import Screen
import Subscriptions

extension State {
  mutating func show(_ report: Report, serial: Int) {
    guard let load = inquiries.load, load.serial == serial else { return }
    inquiries.load = nil
    inquiries.failure = nil
    var place = panels[report.report]?.place ?? Place()
    products.learn(report.products)
    let blocks = report.blocks(in: wording)
    place.keep(to: blocks, in: Chrome(size).body.size, glyphs: glyphs)
    panels[report.report] = PanelView(report: report, question: load.question, blocks: blocks, place: place)
  }

  mutating func show(_ status: StoreStatus, serial: Int) {
    guard inquiries.status == serial else { return }
    inquiries.status = nil
    self.status = status
  }

  mutating func fail(_ reason: String, serial: Int) {
    if inquiries.load?.serial == serial {
      inquiries.load = nil
      inquiries.failure = reason
    } else if inquiries.find?.serial == serial {
      inquiries.find = nil
    } else if inquiries.status == serial {
      inquiries.status = nil
    } else {
      return
    }
    say(reason, .bad)
  }

  // MARK: Chains

  mutating func show(_ chains: [ChainReport], serial: Int) {
    guard let find = inquiries.find, find.serial == serial else { return }
    inquiries.find = nil
    switch find.purpose {
    case .open: open(chains, find)
    case .refresh: refresh(chains, find)
    }
  }

  private mutating func open(_ chains: [ChainReport], _ find: Inquiries.Find) {
    switch chains.count {
    case 0: say("Nothing in the store has the id \(find.id).", .warn)
    case 1:
      // Found from its own screen, a chain does not stand over itself.
      if case .chain(let shown)? = layers.last,
        shown.chain.originalTransactionId == chains[0].originalTransactionId
      {
        layers.removeLast()
      }
      layers.append(.chain(ChainView(chains[0], at: find.at, in: wording)))
    default: layers.append(.chains(ChainsView(find.id, chains, at: find.at, in: wording)))
    }
  }

  /// The chain shown may have left the list of those found, as it may have been another app user's all along.
  private mutating func refresh(_ chains: [ChainReport], _ find: Inquiries.Find) {
    guard let top = layers.indices.last else { return }
    switch layers[top] {
    case .chain(let view):
      let same = chains.first {
        $0.originalTransactionId == view.chain.originalTransactionId
          && $0.environment == view.chain.environment
      }
      guard let same else { return }
      var fresh = ChainView(same, at: find.at, in: wording)
      fresh.place = view.place
      layers[top] = .chain(fresh)
    case .chains(let view) where view.id == find.id && !chains.isEmpty:
      var fresh = ChainsView(find.id, chains, at: find.at, in: wording)
      fresh.place = view.place
      fresh.place.keep(to: fresh.blocks, in: Chrome(size).body.size, glyphs: glyphs)
      layers[top] = .chains(fresh)
    case .chains, .help: return
    }
  }
}

extension ChainView {
  init(_ chain: ChainReport, at: Instant, in wording: Wording) {
    self.init(chain: chain, at: at, blocks: chain.blocks(at: at, in: wording))
  }
}

extension ChainsView {
  init(_ id: String, _ chains: [ChainReport], at: Instant, in wording: Wording) {
    self.init(id: id, chains: chains, blocks: [chains.listBlock(of: id, at: at, in: wording)])
    place.selected = blocks.first?.listing?.rows.first?.id
  }
}

extension Place {
  /// Stays on its row, or lets go of it where it is no longer there. Who has not moved yet stays on the first row,
  /// whichever that is now.
  mutating func keep(to blocks: [Block], in room: Size, glyphs: GlyphSet) {
    guard let listing = blocks.first(where: { $0.span == .main })?.listing else { return }
    if !isMoved || !listing.rows.contains(where: { $0.id == selected }) {
      selected = nil
      offset = 0
      isMoved = false
    }
    let fits = BlockLayout(blocks, in: room, glyphs: glyphs).maximumScroll == 0
    if selected == nil, fits { selected = listing.rows.first?.id }
  }
}
