/// Fields for matching transactions of Apple's subscriber reports with the store's, because they share no id.
public struct TransactionKey: Hashable, Sendable {
  public var day: CivilDate
  /// Product id (`SKU`); `nil` if no imported report names the SKU of Apple's id.
  public var product: ProductID?
  /// Customer's storefront; `nil` for refunds, or if unknown, as in verifyReceipt's answers.
  public var storefront: StorefrontCode?
  public var price: Money?
  public var isRefund: Bool

  public init(
    day: CivilDate, product: ProductID?, storefront: StorefrontCode?, price: Money?, isRefund: Bool = false
  ) {
    (self.day, self.product, self.storefront) = (day, product, storefront)
    (self.price, self.isRefund) = (price, isRefund)
  }
}

/// Counts of matching transactions by loosening, and of transactions that only one side has, by key.
public struct TransactionMatching: Sendable {
  /// Difference that two matching transactions may have; pairs are searched in the order of the cases.
  public enum Loosening: String, Hashable, Sendable, Codable, CaseIterable {
    case none
    case nextDay = "next_day"
    case storefrontUnknown = "storefront_unknown"
    case priceMissing = "price_missing"
    /// The store's price is the catalog's and its storefront is unknown, as for answers of verifyReceipt.
    case catalogPrice = "catalog_price"
  }

  public private(set) var matched: [Loosening: Int] = [:]
  public private(set) var onlyApple: [TransactionKey: Int]
  public private(set) var onlyOurs: [TransactionKey: Int]
  /// Pairs with different prices: the store's price is the catalog's, or missing.
  private(set) var repriced:
    [(cause: DifferenceCause, apple: TransactionKey, ours: TransactionKey, count: Int)] = []

  public init(apple: [TransactionKey: Int], ours: [TransactionKey: Int]) {
    self.init(EqualTransactions(apple: apple, ours: ours)) { _ in true }
  }

  /// Pairs unequal transactions of the included days; `equal` has already paired those with equal keys.
  init(_ equal: EqualTransactions, of isIncluded: (CivilDate) -> Bool) {
    let apple = equal.onlyApple.filter { isIncluded($0.key.day) }
    let ours = equal.onlyOurs.filter { isIncluded($0.key.day) }
    onlyApple = Dictionary(uniqueKeysWithValues: apple)
    onlyOurs = Dictionary(uniqueKeysWithValues: ours)
    let pairs = equal.pairs.reduce(0) { $0 + (isIncluded($1.key) ? $1.value : 0) }
    if pairs > 0 { matched[.none] = pairs }
    func pair(_ loosening: Loosening, _ others: (TransactionKey) -> [TransactionKey]) {
      for (key, _) in apple { self.pair(key, loosening, others) }
    }
    pair(.nextDay) { key in
      [-1, 1].map { days in
        var near = key
        near.day = CivilDate(daysSince1970: key.day.daysSince1970 + days)
        return near
      }
    }
    let unknownStorefront = { (key: TransactionKey) in
      var other = key
      other.storefront = nil
      return [other]
    }
    pair(.storefrontUnknown, unknownStorefront)
    pair(.priceMissing) { key in
      var other = key
      other.price = nil
      return [other] + unknownStorefront(other)
    }
    let unsigned = Dictionary(
      grouping: ours.map(\.key).filter { $0.storefront == nil && $0.price != nil && onlyOurs[$0] != nil },
      by: \.unpriced)
    pair(.catalogPrice) { unsigned[$0.unpriced] ?? [] }
  }

  /// Sales of the pairs with different prices, in micros: Apple's are positive, the store's negative.
  func repricedSales(_ names: inout ReconciledNames) -> [(part: CausePart, micros: Int128)] {
    repriced.flatMap { cause, apple, ours, count in
      [(apple, Int128(count)), (ours, 0 - Int128(count))].compactMap { key, count in
        key.price.map { price in
          let sales = names.key(
            .sales, key.day.daysSince1970, key.product, key.storefront, price.currency)
          return (CausePart(cause: cause, key: sales), count * price.micros)
        }
      }
    }
  }

  /// Returns sales (or refunds) that only one side has: first Apple's, then the store's, each sorted by day.
  public func unmatched(refunds: Bool) -> [(isApples: Bool, key: TransactionKey, count: Int)] {
    [(true, onlyApple), (false, onlyOurs)].flatMap { isApples, counts in
      counts.filter { $0.key.isRefund == refunds }.sorted { TransactionKey.inOrder($0.key, $1.key) }
        .map { (isApples, $0.key, $0.value) }
    }
  }

  /// Pairs Apple's unmatched transactions of a key with the store's under the keys that `others` returns.
  private mutating func pair(
    _ key: TransactionKey, _ loosening: Loosening, _ others: (TransactionKey) -> [TransactionKey]
  ) {
    guard var left = onlyApple[key] else { return }
    for other in others(key) {
      let both = min(left, onlyOurs[other] ?? 0)
      guard both > 0 else { continue }
      left -= both
      matched[loosening, default: 0] += both
      if key.price != other.price {
        repriced.append((other.price == nil ? .priceMissing : .catalogPrice, key, other, both))
      }
      onlyOurs[other] = (onlyOurs[other] ?? 0) - both
      if onlyOurs[other] == 0 { onlyOurs[other] = nil }
    }
    onlyApple[key] = left == 0 ? nil : left
  }
}

/// Number of pairs of transactions with equal keys, and the transactions that are left on each side.
///
/// The latter are sorted, so that the same transactions always match if several can.
struct EqualTransactions {
  private(set) var onlyApple: [(key: TransactionKey, count: Int)] = []
  private(set) var onlyOurs: [(key: TransactionKey, count: Int)] = []
  /// Number of pairs with equal keys, by day.
  private(set) var pairs: [CivilDate: Int] = [:]

  init(apple: [TransactionKey: Int], ours: [TransactionKey: Int]) {
    for (key, count) in apple where count > 0 {
      let both = min(count, max(0, ours[key] ?? 0))
      pairs[key.day, default: 0] += both
      if count > both { onlyApple.append((key, count - both)) }
    }
    for (key, count) in ours where count > 0 {
      let left = count - max(0, apple[key] ?? 0)
      if left > 0 { onlyOurs.append((key, left)) }
    }
    onlyApple.sort { TransactionKey.inOrder($0.key, $1.key) }
    onlyOurs.sort { TransactionKey.inOrder($0.key, $1.key) }
  }
}

extension TransactionKey {
  fileprivate var unpriced: TransactionKey {
    TransactionKey(day: day, product: product, storefront: nil, price: nil, isRefund: isRefund)
  }

  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    left.day == right.day ? left.order < right.order : left.day < right.day
  }

  private var order: (Int, String, String, Int64, String) {
    (
      day.daysSince1970 * 2 + (isRefund ? 1 : 0), product?.rawValue ?? "", storefront?.rawValue ?? "",
      price?.single ?? -1, price?.currency.rawValue ?? ""
    )
  }
}

/// Customer in Apple's subscriber reports whose transactions the store lacks.
public struct MissingCustomer: Hashable, Sendable {
  public var subscriber: String
  public var transactions: Int
  public var first: CivilDate
  public var last: CivilDate
  public var products: Set<String>
  public var storefronts: Set<StorefrontCode>
  public var amounts: Amounts
  /// Number of customers who may be the missing one, as their transactions are equal; 1 if it is certain.
  public var candidates = 1

  /// Returns the customers whose transactions the store lacks, sorted by number of report rows, most first.
  ///
  /// A customer is missing only if, for each key, the store lacks at least as many transactions as the
  /// customer has. Transactions with equal keys cannot be distinguished.
  ///
  /// - Parameter unsigned: Products of transactions that have no storefront in the store. Their prices and
  ///   storefronts are ignored when customers are counted as `candidates` for each other.
  public static func all(
    _ rows: [(key: TransactionKey, row: AppleReportRow)], lacking: [TransactionKey: Int],
    unsigned: Set<ProductID?> = []
  ) -> [MissingCustomer] {
    var bySubscriber: [String: [(key: TransactionKey, row: AppleReportRow)]] = [:]
    for row in rows {
      guard let subscriber = row.row.subscriber else { continue }
      bySubscriber[subscriber, default: []].append(row)
    }
    var left = lacking
    let most = bySubscriber.sorted {
      $0.value.count == $1.value.count ? $0.key < $1.key : $0.value.count > $1.value.count
    }.map { subscriber, rows in
      var needed: [TransactionKey: Int] = [:]
      for row in rows { needed[row.key, default: 0] += max(1, Int(clamping: row.row.units.magnitude)) }
      let pairs = needed.map { (unsigned.contains($0.key.product) ? $0.key.unpriced : $0.key, $0.value) }
      return (subscriber: subscriber, rows: rows, needed: needed, comparable: Dictionary(pairs) { $0 + $1 })
    }
    let missing = most.filter { customer in
      guard customer.needed.allSatisfy({ (left[$0.key] ?? 0) >= $0.value }) else { return false }
      for (key, count) in customer.needed { left[key, default: 0] -= count }
      return true
    }
    let (all, found) = (
      Dictionary(grouping: most, by: \.comparable), Dictionary(grouping: missing, by: \.comparable)
    )
    return missing.compactMap { subscriber, rows, needed, comparable in
      let days = rows.map(\.row.day).sorted()
      guard let first = days.first, let last = days.last else { return nil }
      let alike = all[comparable]?.count ?? 1
      return MissingCustomer(
        subscriber: subscriber, transactions: needed.values.reduce(0, +), first: first, last: last,
        products: Set(rows.map { $0.key.product?.rawValue ?? $0.row.appleID }),
        storefronts: Set(rows.map(\.row.storefront)), amounts: Amounts(rows.compactMap(\.row.amount)),
        candidates: alike > found[comparable]?.count ?? 0 ? alike : 1)
    }
  }
}
