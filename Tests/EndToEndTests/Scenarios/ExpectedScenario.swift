import Subscriptions

struct ExpectedScenario: Sendable {
  struct Question: Sendable {
    var name: String
    var arguments: [String]
    var expected: JSON
  }

  private(set) var questions: [Question] = []

  init(_ json: JSON) throws {
    try json.allowOnly(["because", "chains", "reports"], in: "expected.json")
    for (chain, entries) in (json["chains"] ?? .null).object.sorted(by: { $0.key < $1.key }) {
      questions += try entries.list.map { try Question(chain: chain, $0) }
    }
    questions += try (json["reports"] ?? .null).list.map(Question.init(report:))
  }
}

extension ExpectedScenario.Question {
  fileprivate init(chain: String, _ entry: JSON) throws {
    var members = entry.object
    let at = try Self.instant(&members)
    name = "chain \(chain)\(at.map { " at \($0)" } ?? "")"
    arguments = ["chain", chain] + (at.map { ["--at", $0] } ?? [])
    expected = .object(members)
  }

  fileprivate init(report entry: JSON) throws {
    var members = entry.object
    let at = try Self.instant(&members)
    guard let panel = members.removeValue(forKey: "panel")?.text else {
      throw ScenarioError("a report has no panel")
    }
    arguments = ["report", panel] + (at.map { ["--at", $0] } ?? [])
    for option in ["window", "environment"] {
      if let value = members.removeValue(forKey: option)?.text { arguments += ["--\(option)", value] }
    }
    for product in members.removeValue(forKey: "product")?.list ?? [] {
      arguments += ["--product", product.text ?? ""]
    }
    name = arguments.joined(separator: " ")
    expected = .object(members)
    try expected.allowOnly(["because", "data", "trust"], in: name)
  }

  /// Instant in the strict format, which the program cannot misread; `nil` if absent.
  private static func instant(_ members: inout [String: JSON]) throws -> String? {
    guard let at = members.removeValue(forKey: "at") else { return nil }
    guard let text = at.text, text.hasSuffix("Z"), Instant(parsing: text) != nil else {
      throw ScenarioError("\(at) is no instant such as 2026-03-01T00:00:00Z")
    }
    return text
  }
}

struct ScenarioError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension JSON {
  fileprivate func allowOnly(_ keys: Set<String>, in place: String) throws {
    let unknown = Set(object.keys).subtracting(keys).sorted()
    guard unknown.isEmpty else {
      throw ScenarioError("\(place): unknown key \(unknown.joined(separator: ", "))")
    }
  }
}
