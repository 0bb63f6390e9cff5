/// Box of the overview, whose raw value names it on the screen and in the saved settings.
enum OverviewBox: String, Hashable, Sendable, CaseIterable {
  case tiles = "MRR, subscribers, trials, churn"
  case movement = "Movement of subscribers"
  case products = "By product"
  case events = "Newest events"
  case renewals = "Renewals"
  case subscribers = "Subscribers now"
  case revenueMovement = "Movement of MRR"
  case lost = "Lost"
  case trials = "Trials"
  case revenue = "Monthly revenue now"
  case money = "Money"
  case storefronts = "Sold by storefront"
}

struct OverviewBoxes: Hashable, Sendable {
  private(set) var order = OverviewBox.allCases
  var hidden: Set<OverviewBox> = []

  /// Moves a box to the place of the previous or next box in `others`, the boxes on the screen.
  mutating func move(_ box: OverviewBox, _ side: Command.Side, among others: Set<OverviewBox>) {
    let places = order.indices.filter { others.contains(order[$0]) }
    guard let here = order.firstIndex(of: box),
      let there = side == .left ? places.last(where: { $0 < here }) : places.first(where: { $0 > here })
    else { return }
    order.remove(at: here)
    order.insert(box, at: there)
  }
}

extension OverviewBoxes {
  /// Restores saved names; unknown names are ignored, and boxes missing from `names` come last.
  init(order names: [String], hidden: [String]) {
    var seen: Set<OverviewBox> = []
    order = (names.compactMap(OverviewBox.init) + OverviewBox.allCases).filter { seen.insert($0).inserted }
    self.hidden = Set(hidden.compactMap(OverviewBox.init))
  }
}
