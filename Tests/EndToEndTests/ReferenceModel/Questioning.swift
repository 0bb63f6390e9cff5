import GRDB
import Testing

extension Subtop {
  /// Users of the store's chains, or the chain if it has no user.
  func holders() throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let holder =
      "CASE receipts.app_user_id WHEN '' THEN original_transaction_id ELSE receipts.app_user_id END"
    return try DatabaseQueue(path: store, configuration: configuration).read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT \(holder) FROM chains JOIN receipt_chains ON chains.id = chain_id
          JOIN receipts ON receipts.id = receipt_id ORDER BY 1
          """)
    }
  }

  func chains(at instant: Int) async throws -> [JSON] {
    let printed = try await inPairs(holders()) { holder in
      let arguments = ["chain", holder, "--at", "\(instant)", "--environment", "all", "--format", "json"]
      let json = try await answer(arguments)
      return if case .list(let chains) = json { chains } else { [json] }
    }
    var seen: Set<String> = []
    return printed.flatMap(\.self).filter { chain in
      seen.insert("\(chain["original_transaction_id"] ?? .null) \(chain["environment"] ?? .null)").inserted
    }
  }

  func answer(_ arguments: [String]) async throws -> JSON {
    let outcome = try await run(arguments)
    guard outcome.ending == .code(0) else { throw Refusal(outcome: outcome) }
    return try outcome.json
  }

  struct Refusal: Error, CustomStringConvertible {
    var outcome: Outcome
    var description: String { "\(outcome.command): \(outcome.ending), \(outcome.errors)" }
  }

  func differences(
    _ population: ReferenceModel.Population, _ questions: [ReferenceModel.Question],
    _ panels: [String] = ReferenceModel.Scope.panels
  ) async throws -> [String] {
    let all = questions.flatMap { question in panels.map { (question, $0) } }
    let differences = try await inPairs(all) { question, panel in
      let report = try await answer(["report", panel, "--format", "json"] + question.arguments)
      return population.differences(question, panel, from: report)
    }
    return population.differences() + differences.flatMap(\.self)
  }
}

func inPairs<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    var results: [Int: Result] = [:]
    for (index, element) in elements.enumerated() {
      if index >= 2, let (place, result) = try await group.next() { results[place] = result }
      group.addTask { (index, try await body(element)) }
    }
    for try await (place, result) in group { results[place] = result }
    return elements.indices.compactMap { results[$0] }
  }
}
