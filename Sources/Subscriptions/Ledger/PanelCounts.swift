/// What the figures of a panel come to that `PanelCounting` counts, by their paths.
public struct PanelCounts: Sendable {
  public struct Count: Hashable, Sendable {
    public var lines = 0
    /// What their current rows cost a month, in micros for each currency.
    public var monthly: Amounts

    /// - Parameter reporting: the currency in which amounts are told as well.
    fileprivate init(in reporting: CurrencyCode? = nil) { monthly = Amounts(in: reporting) }

    fileprivate mutating func add(_ balance: Balance, _ currency: CurrencyCode?) {
      lines += Int(balance.lines)
      guard let currency else { return }
      monthly.add(Money(micros: balance.monthlyMicros, currency: currency), balance.converted)
    }
  }

  private let counting: PanelCounting
  private let question: Question
  private let none: Count
  private(set) var counts: [String: Count] = [:]
  private var products: [ProductID: [String: Count]] = [:]
  private var storefronts: [StorefrontCode?: [String: Count]] = [:]
  /// - Parameters:
  ///   - panel: whose figures, which may be others than the question's.
  ///   - sums: those of the question's window.
  public init(_ panel: Panel, _ sums: LedgerSums, _ question: Question) {
    counting = PanelCounting(panel)
    self.question = question
    none = Count(in: question.reportingCurrency)
    add(sums.end)
    for (position, balance) in sums.start where question.includes(position) {
      add(balance, counting.pathsAtStart(position), position)
    }
    count(sums.changes)
  }

  /// Nothing where no figure has the path.
  public subscript(path: String) -> Count { counts[path] ?? none }

  /// The same of each product that counts anything.
  func byProduct<Value>(_ value: (ProductID, (String) -> Count) -> Value) -> [Value] {
    products.map { product, counts in value(product) { counts[$0] ?? none } }
  }

  /// The same of each storefront; nil is unknown.
  func byStorefront<Value>(_ value: (StorefrontCode?, (String) -> Count) -> Value) -> [Value] {
    storefronts.map { storefront, counts in value(storefront) { counts[$0] ?? none } }
  }

  private mutating func add(_ balances: [PositionClass: Balance]) {
    for (position, balance) in balances where question.includes(position) {
      let paths = counting.paths(position)
      add(balance, paths, position)
      for path in paths {
        products[position.product, default: [:]][path, default: none].add(balance, position.currency)
        storefronts[position.storefront, default: [:]][path, default: none].add(balance, position.currency)
      }
    }
  }

  private mutating func add(_ balance: Balance, _ paths: [String], _ position: PositionClass) {
    for path in paths {
      counts[path, default: none].add(balance, position.currency)
    }
  }

  private mutating func count(_ changes: [ChangeClass: Turnover]) {
    for (change, sum) in changes {
      guard let scoped = ScopedChange(change, in: question) else { continue }
      for path in counting.paths(scoped) { counts[path, default: none].add(sum.after, nil) }
    }
  }
}
