import Subscriptions

extension Comparison.Unknown {
  func sentence(in path: String, _ known: KnownNames) -> String {
    "cannot compare with \(whatIsMissing(in: path, known))"
  }

  func whatIsMissing(in path: String, _ known: KnownNames) -> String {
    let (what, word, names) =
      switch self {
      case .product(let product):
        ("product", product.rawValue, known.products.sorted().map(\.rawValue))
      case .storefront(let storefront):
        ("storefront", storefront.rawValue, known.storefronts.map(\.rawValue).sorted())
      case .offer(let offer): ("offer", offer.text, known.offers.map(\.text).sorted())
      case .environment(let environment):
        (
          "environment", environment.rawValue,
          EnvironmentScope.allCases.filter { $0 != .all && known.environments.contains(where: $0.contains) }
            .map(\.rawValue)
        )
      }
    let near = NearNames.of(word, among: names)
    let advice =
      if !near.isEmpty {
        "similar: \(Self.list(near))"
      } else if !names.isEmpty {
        "known: \(Self.list(names))"
      } else if case .storefront = self {
        "no storefront is known, because receipts do not contain it; the Server API and signed data do"
      } else {
        "import and sweep first"
      }
    return "\(what) \(printable(word)): nothing in \(path) has it; \(advice)"
  }

  private static func list(_ names: [String]) -> String {
    let more = names.count > most ? [", and \(names.count - most) more"] : []
    return names.prefix(most).map { printable($0) }.joined(separator: ", ") + more.joined()
  }

  private static let most = 8
}
