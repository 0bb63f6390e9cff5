import Screen
import Subscriptions

/// How things are shown, apart from where one is among them.
extension State {
  mutating func show(theme name: String) -> [Effect] {
    theme = name
    say("Theme \(name).")
    return [.setTheme(name)]
  }

  /// Times are put into words when an answer comes, so that everything is asked for anew.
  mutating func show(in zone: Zone) -> [Effect] {
    guard zone != self.zone else {
      say("Times are in \(zone.name); the configuration's time_zones adds others.")
      return []
    }
    self.zone = zone
    say("Times in \(zone.name).")
    return refresh()
  }

  mutating func pickProduct() {
    guard !products.known.isEmpty else { return say("No product is known yet.") }
    let rows =
      [Listing.Row(id: "all", ["every product", ""], opening: .only(nil))]
      + products.known.map { id in
        Listing.Row(
          id: id.rawValue, [StyledText(products.name(of: id)), StyledText(id.rawValue, .dim)],
          opening: .only(id))
      }
    let block = Block(
      "One product alone",
      .listing(
        Listing([.name("Product"), .name("Id", priority: 1)], rows, emptyText: "", in: glyphs)), span: .main)
    var page = Page([block], arrangement(of: .products))
    page.cursor.selected = product?.rawValue ?? "all"
    page.cursor.isMoved = true
    layers.append(.products(page))
    settle()
  }

  mutating func askJSON() -> [Effect] {
    guard case .chain(let view)? = layers.last else { return [] }
    let serial = pending.nextSerial()
    pending.json = serial
    return [.encode(view.chain, serial: serial)]
  }
}
