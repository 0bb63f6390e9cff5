import Subscriptions

/// Displayed product ids, without the leading parts that all of them share.
struct ProductNames: Hashable, Sendable {
  /// Full ids, for output that other programs read.
  static let whole = ProductNames(isWhole: true)

  private let isWhole: Bool
  /// Dotted parts that all known ids begin with; `nil` before the first id.
  private var shared: [Substring]?
  private var seen: Set<ProductID> = []

  init(isWhole: Bool = false) { self.isWhole = isWhole }

  mutating func learn(_ products: some Sequence<ProductID>) {
    for product in products {
      // The last part is never shared, so that a name is never empty.
      let parts = product.rawValue.split(separator: ".", omittingEmptySubsequences: false).dropLast()
      let common = zip(shared ?? Array(parts), parts).prefix { $0 == $1 }.map(\.0)
      shared = common
      seen.insert(product)
    }
  }

  var known: [ProductID] { seen.sorted { $0.rawValue < $1.rawValue } }

  /// Full ids by displayed name, if they differ.
  var wholeIDs: [String: String] {
    Dictionary(
      seen.map { (name(of: $0), $0.rawValue) }.filter { $0.0 != $0.1 }, uniquingKeysWith: { one, _ in one })
  }

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
  var products: [ProductID] {
    let figures = data
    return (figures[parts: "by_product"] + figures[parts: "offers"]).map(\.product)
      + figures.events.map(\.productID)
      + figures.upgrades.flatMap { [$0.fromProductId] + ($0.toProductId.map { [$0] } ?? []) }
  }
}
