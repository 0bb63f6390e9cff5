import Subscriptions

struct Place: Sendable {
  let tab: Tab
  let layers: [Layer]
  let narrowing: Narrowing

  /// Texts that identify the tab, the narrowing and the layers, and that stay equal after a refresh.
  fileprivate var identity: [String] {
    [tab.name, narrowing.product?.rawValue ?? "", narrowing.storefront.text, narrowing.offer.text]
      + layers.map(\.name)
  }
}

struct VisitedPlaces: Sendable {
  private static let most = 50

  fileprivate var earlier: [Place] = []
  fileprivate var later: [Place] = []
  fileprivate var isMoving = false

  mutating func leave(_ old: Place, for new: Place) {
    defer { isMoving = false }
    guard !isMoving, old.identity != new.identity else { return }
    earlier = earlier.suffix(Self.most - 1) + [old]
    later = []
  }
}

extension State {
  /// Current tab, layers and narrowing, without layers such as the help and lists of choices.
  var place: Place {
    let kept = layers.filter { ![.products, .help, .messages].contains($0.context) }
    return Place(tab: tab, layers: kept, narrowing: narrowing)
  }

  mutating func goBack() -> [Effect] { go(\.earlier, \.later, "earlier") }

  mutating func goForward() -> [Effect] { go(\.later, \.earlier, "later") }

  private mutating func go(
    _ from: WritableKeyPath<VisitedPlaces, [Place]>, _ to: WritableKeyPath<VisitedPlaces, [Place]>,
    _ name: String
  ) -> [Effect] {
    guard let place = visited[keyPath: from].popLast() else { return say("There is no \(name) view.") }
    visited[keyPath: to].append(self.place)
    visited.isMoving = true
    pending.leave()
    notice = nil
    (tab, layers, narrowing) = (place.tab, place.layers, place.narrowing)
    settle()
    return refresh()
  }
}
