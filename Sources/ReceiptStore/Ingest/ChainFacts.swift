import Subscriptions

/// What is derived for the transactions of one chain, apart from row numbers.
struct ChainFacts: Sendable {
  private struct Told {
    var facts: DerivedFacts
    /// The place of its line among the chain's.
    var line: Int
  }

  private var rows: [TransactionID: Told] = [:]
  /// Other ids of purchases, with the ids under which these are kept.
  private var duplicates: [TransactionID: TransactionID]
  private let oneTime: [TransactionID: Transaction]

  init(_ chain: Chain, _ lines: [Line], catalog: Catalog) {
    duplicates = chain.oneTimeDuplicates
    oneTime = Dictionary(
      chain.oneTime.map { ($0.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    for (place, line) in lines.enumerated() {
      for row in line.rows {
        rows[row.id] = Told(facts: DerivedFacts(row, app: line.bundleID, catalog: catalog), line: place)
        for duplicate in row.duplicateIDs { duplicates[duplicate] = row.id }
      }
    }
  }

  /// - Parameters:
  ///   - lineIDs: the lines' row numbers, in their order.
  ///   - rowIDs: those of what duplicates point to.
  func facts(
    of id: TransactionID, _ lineIDs: [Int64], _ rowIDs: [TransactionID: Int64]
  ) -> DerivedFacts {
    guard let told = rows[id] else {
      return duplicates[id].flatMap { rowIDs[$0] }.map(DerivedFacts.init(duplicateOf:))
        ?? DerivedFacts(oneTime: oneTime[id])
    }
    var facts = told.facts
    facts.lineID = lineIDs[told.line]
    return facts
  }
}
