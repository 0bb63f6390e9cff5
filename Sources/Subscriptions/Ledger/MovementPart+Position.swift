extension MovementPart {
  /// The part that a position is of; nil where the split is of time.
  init?(of position: PositionClass, by split: MovementSplit) {
    switch split {
    case .week, .month: return nil
    case .product: self = .product(position.product)
    case .storefront: self = .storefront(position.storefront)
    case .kind: self = .kind(position.kind)
    case .currency: self = .currency(position.currency)
    }
  }

  func includes(_ position: PositionClass) -> Bool {
    MovementPart(of: position, by: split).map { $0 == self } ?? true
  }
}
