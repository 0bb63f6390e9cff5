/// Products, storefronts and currencies of a reconciliation, numbered in the order of their first use.
struct ReconciledNames: Sendable {
  /// Names by number; `nil` has the number 0.
  private var names: [String?] = [nil]
  private var numbers: [String: Int32] = [:]

  mutating func number(of name: (some TextIdentifier)?) -> Int32 {
    guard let name = name?.rawValue else { return 0 }
    if let known = numbers[name] { return known }
    names.append(name)
    numbers[name] = Int32(names.count - 1)
    return Int32(names.count - 1)
  }

  mutating func key(
    _ figure: ReconciledFigure, _ day: Int, _ product: ProductID?, _ storefront: StorefrontCode? = nil,
    _ currency: CurrencyCode? = nil
  ) -> ReconciledKey {
    ReconciledKey(
      figure, day, product: number(of: product), storefront: number(of: storefront),
      currency: number(of: currency))
  }

  subscript(number: Int32) -> String? { names[Int(number)] }

  func currency(of key: ReconciledKey) -> CurrencyCode? { self[key.currency].map { CurrencyCode($0) } }

  /// Returns the keys sorted by day, figure and names.
  func sorted(_ keys: some Sequence<ReconciledKey>) -> [ReconciledKey] {
    var ranks = names.map { _ in 0 }
    let sorted = names.indices.sorted { (names[$0] ?? "") < (names[$1] ?? "") }
    for (rank, number) in sorted.enumerated() { ranks[number] = rank }
    return keys.map { key in
      let first = Int(key.number) << 40 | key.figure.place << 32 | ranks[Int(key.product)]
      return (first, ranks[Int(key.storefront)] << 32 | ranks[Int(key.currency)], key)
    }
    .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}
