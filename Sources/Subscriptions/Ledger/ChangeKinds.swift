/// Classes of positions and of changes without what no figure asks of them: of which product, storefront and environment a line is. What
/// figures count of a kind is asked once, of however many classes it is.
struct ChangeKinds: Sendable {
  struct Kind: Sendable {
    var change: ScopedChange
    /// Places in `positions`; nil where that side is out of the question's scope.
    var old: Int?
    var new: Int?
  }

  private struct Key: Hashable {
    var old: Int?
    var new: Int?
    var flow: Flow?
    /// Of a position that is out of scope.
    var reason: LossReason?
  }

  private(set) var positions: [PositionClass] = []
  private(set) var changes: [Kind] = []
  /// Of classes as well as of what they come to.
  private var placesOfPositions: [PositionClass: Int] = [:]
  private var placesOfChanges: [Key: Int] = [:]

  mutating func place(of position: PositionClass) -> Int {
    if let known = placesOfPositions[position] { return known }
    let kind = position.ofAnyProduct
    let place = placesOfPositions[kind] ?? positions.count
    if place == positions.count { positions.append(kind) }
    placesOfPositions[kind] = place
    placesOfPositions[position] = place
    return place
  }

  /// Nil where neither side is in scope.
  ///
  /// - Parameters:
  ///   - old: the place of the position that is left, where it is in scope; else nil.
  ///   - new: the same of the one that is entered.
  mutating func place(of change: ChangeClass, old: Int?, new: Int?) -> Int? {
    guard old != nil || new != nil else { return nil }
    let key = Key(old: old, new: new, flow: change.flow, reason: new == nil ? change.new.reason : nil)
    if let known = placesOfChanges[key] { return known }
    let place = changes.count
    changes.append(
      Kind(
        change: ScopedChange(
          old: key.old.map { positions[$0] }, new: key.new.map { positions[$0] }, flow: change.flow,
          reason: change.new.reason), old: key.old, new: key.new))
    placesOfChanges[key] = place
    return place
  }
}

extension PositionClass {
  /// What figures ask of it.
  fileprivate var ofAnyProduct: PositionClass {
    PositionClass(
      environment: .production, state: state, product: ProductID(""), kind: kind, autoRenew: autoRenew,
      reason: reason, currency: currency, isUnseen: isUnseen, isChangePending: isChangePending)
  }
}
