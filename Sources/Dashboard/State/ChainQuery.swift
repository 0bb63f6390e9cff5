import Subscriptions

/// Query for chains.
enum ChainQuery: Hashable, Sendable {
  /// Any id that identifies a chain, or several.
  case id(String)
  case receipt(ReceiptID)

  var text: String {
    switch self {
    case .id(let id): id
    case .receipt(let id): "receipt \(id)"
    }
  }
}
