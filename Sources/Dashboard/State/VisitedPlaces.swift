import Subscriptions

/// Position in the dashboard: tab, layers and narrowing.
struct Place: Sendable {
  let tab: Tab
  let layers: [Layer]
  let narrowing: Narrowing

  /// Stable across refreshes.
  fileprivate var identity: [String] {
    [tab.name, narrowing.product?.rawValue ?? "", narrowing.storefront.text, narrowing.offer.text]
      + layers.map(\.name)
  }

  func isSame(as other: Place) -> Bool { identity == other.identity }
}

/// History of visited places.
struct VisitedPlaces: Sendable {
  private static let most = 50

  private(set) var earlier: [Place] = []
  private(set) var later: [Place] = []
  /// Whether the last change was a move in the history.
  private var isMoving = false

  mutating func leave(_ old: Place, for new: Place) {
    defer { isMoving = false }
    guard !isMoving, !old.isSame(as: new) else { return }
    earlier = earlier.suffix(Self.most - 1) + [old]
    later = []
  }

  mutating func goBack(from here: Place) -> Place? {
    guard let place = earlier.popLast() else { return nil }
    later.append(here)
    isMoving = true
    return place
  }

  mutating func goForward(from here: Place) -> Place? {
    guard let place = later.popLast() else { return nil }
    earlier.append(here)
    isMoving = true
    return place
  }
}

extension Layer {
  /// Whether the layer is transient and not part of the history.
  fileprivate var isPassing: Bool {
    switch content {
    case .products, .help, .messages, .comparisons, .alerts: true
    case .rows, .chains, .chain, .receipts, .evidence, .json, .compared: false
    }
  }
}

extension State {
  var place: Place { Place(tab: tab, layers: layers.filter { !$0.isPassing }, narrowing: narrowing) }

  mutating func goBack() -> [Effect] {
    guard let place = visited.goBack(from: place) else {
      say("There is no earlier view.")
      return []
    }
    return show(place)
  }

  mutating func goForward() -> [Effect] {
    guard let place = visited.goForward(from: place) else {
      say("There is no later view.")
      return []
    }
    return show(place)
  }

  private mutating func show(_ place: Place) -> [Effect] {
    pending.leave()
    notice = nil
    leaveOffer(for: place.tab)
    (tab, layers, narrowing) = (place.tab, place.layers, place.narrowing)
    settle()
    return refresh()
  }
}
