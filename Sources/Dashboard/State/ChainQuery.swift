import Subscriptions

/// What chains are looked for by.
enum ChainQuery: Hashable, Sendable {
  /// Any id that a person may have at hand.
  case id(String)
  case receipt(ReceiptID)

  var text: String {
    switch self {
    case .id(let id): id
    case .receipt(let id): "receipt \(id)"
    }
  }
}
