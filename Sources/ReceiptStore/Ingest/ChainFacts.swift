import Subscriptions

/// Derived values of a chain's transactions, without row numbers.
struct ChainFacts: Sendable {
  private struct Told {
    var facts: DerivedFacts
    /// Index of its line in the chain.
    var line: Int
  }

  private var rows: [TransactionID: Told] = [:]
  /// Duplicate ids of purchases, with the ids that are counted.
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
  ///   - lineIDs: Row numbers of the lines, in order.
  ///   - rowIDs: Row numbers of the transactions that duplicates refer to.
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
