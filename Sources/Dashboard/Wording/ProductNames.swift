import Subscriptions

/// Product ids as they are shown: without the parts in front that they all share, which say nothing there.
struct ProductNames: Hashable, Sendable {
  /// Shows ids whole, for who reads them with another program.
  static let whole = ProductNames(isWhole: true)

  private let isWhole: Bool
  /// The dotted parts that every id seen so far begins with; nil before the first.
  private var shared: [Substring]?
  private var seen: Set<ProductID> = []

  init(isWhole: Bool = false) { self.isWhole = isWhole }

  /// Takes account of more ids, so that a name is the same on every panel.
  mutating func learn(_ products: some Sequence<ProductID>) {
    for product in products {
      // The last part is never shared: something of an id has to remain.
      let parts = product.rawValue.split(separator: ".", omittingEmptySubsequences: false).dropLast()
      let common = zip(shared ?? Array(parts), parts).prefix { $0 == $1 }.map(\.0)
      shared = common
      seen.insert(product)
    }
  }

  /// Every id seen so far.
  var known: [ProductID] { seen.sorted { $0.rawValue < $1.rawValue } }

  /// The ids behind the names that are shorter, by the names.
  var wholeIDs: [String: String] {
    Dictionary(
      seen.map { (name(of: $0), $0.rawValue) }.filter { $0.0 != $0.1 }, uniquingKeysWith: { one, _ in one })
  }

  /// The id of a product that was typed as it is called here.
  func id(_ typed: ProductID) -> ProductID { wholeIDs[typed.rawValue].map { ProductID($0) } ?? typed }

  func name(of product: ProductID) -> String {
    guard !isWhole, let shared, !shared.isEmpty else { return product.rawValue }
    let prefix = shared.joined(separator: ".") + "."
    guard product.rawValue.hasPrefix(prefix), product.rawValue.count > prefix.count else {
      return product.rawValue
    }
    return String(product.rawValue.dropFirst(prefix.count))
  }
}

extension Report {
  /// The products that the figures speak of.
  var products: [ProductID] {
    let figures = data
    return (figures[parts: "by_product"] + figures[parts: "offers"]).map(\.product)
      + figures.events.map(\.productID)
      + figures.upgrades.flatMap { [$0.fromProductId] + ($0.toProductId.map { [$0] } ?? []) }
  }
}
