import Subscriptions

/// What is derived for the transactions of one chain.
struct ChainFacts {
  private var facts: [TransactionID: DerivedFacts] = [:]
  /// Other ids of purchases, with the ids under which these are kept.
  private var duplicates: [TransactionID: TransactionID]
  private let oneTime: [TransactionID: Transaction]

  /// - Parameter lineIDs: the lines' row numbers, in their order.
  init(_ chain: Chain, _ lines: [Line], _ lineIDs: [Int64]) {
    duplicates = chain.oneTimeDuplicates
    oneTime = Dictionary(
      chain.oneTime.map { ($0.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    for (line, lineID) in zip(lines, lineIDs) {
      for row in line.rows {
        facts[row.id] = DerivedFacts(row, line: lineID)
        for duplicate in row.duplicateIDs { duplicates[duplicate] = row.id }
      }
    }
  }

  func isDuplicate(_ id: TransactionID) -> Bool { facts[id] == nil && duplicates[id] != nil }

  /// - Parameter rowIDs: those of what duplicates point to.
  func facts(of id: TransactionID, _ rowIDs: [TransactionID: Int64]) -> DerivedFacts {
    facts[id] ?? duplicates[id].flatMap { rowIDs[$0] }.map(DerivedFacts.init(duplicateOf:))
      ?? DerivedFacts(oneTime: oneTime[id])
  }
}
