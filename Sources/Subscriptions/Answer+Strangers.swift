extension Answer {
  /// The chains that it names, in rows or in what it says of renewal.
  public var namedChains: Set<OriginalTransactionID> {
    Set(transactions.map(\.originalTransactionID)).union(renewalInfos.compactMap(\.originalTransactionID))
  }

  /// Leaves out the chains that nothing shows to be the receipt's.
  public mutating func leaveOut(_ strangers: Set<OriginalTransactionID>) {
    guard !strangers.isEmpty else { return }
    transactions.removeAll { strangers.contains($0.originalTransactionID) }
    lagging.formIntersection(transactions.map(\.transactionID))
    // What names no chain may as well be about one that is left out.
    renewalInfos.removeAll { $0.originalTransactionID.map(strangers.contains) ?? true }
  }
}
