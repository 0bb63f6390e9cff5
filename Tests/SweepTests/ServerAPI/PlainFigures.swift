import FoundationEssentials
import ReceiptStore
import Subscriptions

/// Every figure of every panel by its path, as `report --format json` has them.
struct PlainFigures {
  private(set) var values: [String: String] = [:]

  /// - Parameter hasMoney: whether amounts are among them, and how many rows have none.
  init(_ store: ReceiptStore, at instants: [Instant], hasMoney: Bool) throws {
    for t in instants {
      for panel in Panel.allCases {
        let question = Question(panel: panel, at: t, windowDays: 60, environment: .all, limit: 300)
        let json = try JSONEncoder().encode(try store.report(question).data)
        add(try JSONDecoder().decode(Value.self, from: json), at: "\(panel) at \(t.iso8601)", hasMoney)
      }
    }
  }

  func differences(from other: PlainFigures) -> [String] {
    Set(values.keys).union(other.values.keys).sorted()
      .filter { values[$0] != other.values[$0] }
      .map { "\($0): \(values[$0] ?? "nothing") instead of \(other.values[$0] ?? "nothing")" }
  }

  /// What is of money, or of the period that a price is for, and the storefront, which Apple tells with the price alone. More or less
  /// than before is a matter of prices too.
  private static let ofMoney = [
    "amount", "mrr", "micros", "price", "currency", "proceeds", "proratedrefund", "unpriced", "expected",
    "sales", "flow", "period", "storefront", "cost", "brought", "balance", "revenue",
  ]

  private mutating func add(_ value: Value, at path: String, _ hasMoney: Bool) {
    switch value {
    case .object(let members):
      for (name, member) in members {
        let word = name.lowercased()
        if !hasMoney, Self.ofMoney.contains(where: word.contains) { continue }
        if !hasMoney, name == "renewals", case .list(let periods) = member {
          addSums(of: periods, at: "\(path).\(name)")
          continue
        }
        add(member, at: "\(path).\(name)", hasMoney)
      }
    case .list(let elements):
      values["\(path).count"] = "\(elements.count)"
      for (place, element) in elements.enumerated() { add(element, at: "\(path)[\(place)]", hasMoney) }
    case .plain(let text): values[path] = text
    }
  }

  /// Of what is told apart by the period that a price is for.
  private mutating func addSums(of rows: [Value], at path: String) {
    var sums: [String: Int64] = [:]
    for case .object(let members) in rows {
      for case (let name, .plain(let text)) in members {
        if let number = Int64(text) { sums[name, default: 0] += number }
      }
    }
    for (name, sum) in sums { values["\(path).\(name)"] = "\(sum)" }
  }

  private enum Value: Decodable {
    case object([String: Value])
    case list([Value])
    case plain(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let members = try? container.decode([String: Value].self) {
        self = .object(members)
      } else if let elements = try? container.decode([Value].self) {
        self = .list(elements)
      } else if let text = try? container.decode(String.self) {
        self = .plain(text)
      } else if let number = try? container.decode(Int64.self) {
        self = .plain("\(number)")
      } else if let number = try? container.decode(Double.self) {
        self = .plain("\(number)")
      } else {
        self = .plain(container.decodeNil() ? "null" : "\(try container.decode(Bool.self))")
      }
    }
  }
}
