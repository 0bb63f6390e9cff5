/// All numbers of a report by their paths in the JSON, which alerts and comparisons use.
///
/// A path through a list contains the element's product, intent or other identity: `by_intent.1.paid`. Lists
/// of subscriptions, events and the largest revenue changes have no paths.
public struct ReportValues: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var path: String
    public var currency: CurrencyCode?
    /// Whether this is a total in the reporting currency, which includes the entries of other currencies.
    public var isConverted = false
    /// `nil` if unknown.
    public var value: ReportValue?
  }

  public private(set) var entries: [Entry] = []
  /// Paths of lists, including empty ones.
  public private(set) var lists: Set<String> = []

  public init(_ report: Report) {
    add(EncodedTree.of(report.data), at: "", in: report.reportingCurrency)
    add(EncodedTree.of(report.trust), at: "trust", in: nil)
  }

  public func entries(_ path: String) -> [Entry] { entries.filter { $0.path == path } }

  mutating func keep(_ isKept: (String) -> Bool) { entries.removeAll { !isKept($0.path) } }

  mutating func rename(_ name: (String) -> String) {
    for index in entries.indices { entries[index].path = name(entries[index].path) }
  }

  private mutating func add(_ tree: EncodedTree, at path: String, in reporting: CurrencyCode?) {
    switch tree {
    case .object(let members):
      for (name, member) in members where !name.hasSuffix("_ms") {
        add(member, at: path.isEmpty ? name : "\(path).\(name)", in: reporting)
      }
    case .list(let elements): add(elements, at: path, in: reporting)
    case .whole(let number): entries.append(Entry(path: path, value: .count(Double(number))))
    case .fraction(let number): entries.append(Entry(path: path, value: .share(number)))
    // Only rates can be unknown.
    case .null: entries.append(Entry(path: path, value: nil))
    case .text, .flag: break
    }
  }

  private mutating func add(_ elements: [EncodedTree], at path: String, in reporting: CurrencyCode?) {
    lists.insert(path)
    for element in elements {
      guard case .object(let members) = element, element["original_transaction_id"] == nil,
        element["figure"] == nil
      else { return }
      if case .text(let currency)? = element["currency"] {
        add(amounts: members, in: CurrencyCode(rawValue: currency), at: path)
      } else if let id = Self.identity(of: element) {
        let figures = members.filter { !Self.identities.contains($0.name) }
        add(.object(figures), at: "\(path).\(id)", in: reporting)
      }
    }
    if let reporting { addConverted(elements, at: path, in: reporting) }
  }

  private mutating func add(
    amounts: [(name: String, value: EncodedTree)], in currency: CurrencyCode, at path: String
  ) {
    // After `amount_micros` this is the same amount in the reporting currency, otherwise the MRR of the flow
    // `converted`.
    let isOne = amounts.contains { $0.name == "amount_micros" }
    for case (let name, .whole(let micros)) in amounts where name.hasSuffix(Self.micros) {
      if isOne, name == "converted_micros" { continue }
      entries.append(
        Entry(
          path: Self.path(ofAmount: name, at: path), currency: currency,
          value: .amount(Money(micros: micros, currency: currency))))
    }
  }

  /// Adds totals in the reporting currency, without amounts that have no rate.
  private mutating func addConverted(
    _ elements: [EncodedTree], at path: String, in reporting: CurrencyCode
  ) {
    var sums: [String: Int128] = [:]
    for element in elements {
      var parts: [(name: String, value: EncodedTree)] = []
      if element["amount_micros"] != nil, let one = element["converted_micros"] {
        parts.append(("amount_micros", one))
      }
      if case .object(let several)? = element["converted"] { parts += several }
      for case (let name, .whole(let micros)) in parts {
        sums[name] = (sums[name] ?? 0) + micros
      }
    }
    for (name, micros) in sums.sorted(by: { $0.key < $1.key }) {
      let path = Self.path(ofAmount: name, at: path)
      let known = entries.filter { $0.path == path }
      guard known.map(\.currency) != [reporting] else { continue }
      entries.append(
        Entry(
          path: path, currency: reporting, isConverted: true,
          value: .amount(Money(micros: micros, currency: reporting))))
    }
  }

  private static let micros = "_micros"

  private static func path(ofAmount name: String, at path: String) -> String {
    name == "amount_micros" ? path : "\(path).\(name.dropLast(micros.count))"
  }

  private static let identities = [
    "kind", "offer", "product_id", "intent", "period", "storefront", "month", "months", "days", "from_days",
    "to_days",
  ]

  private static func identity(of element: EncodedTree) -> String? {
    let parts = identities.dropLast().compactMap { name in element[name].map { $0.words ?? "unknown" } }
    return parts.isEmpty ? nil : parts.joined(separator: ".")
  }
}
