import Subscriptions

/// Verified rows of a customer's history and statuses, each in the version that was signed last.
public struct CustomerRows: Sendable {
  private enum Key: Hashable {
    case transaction(TransactionID)
    case renewal(OriginalTransactionID?, ProductID?)
  }

  private var rows: [Key: ImportedAnswer] = [:]

  public init() {}

  public var count: Int { rows.count }

  /// Verifies signed rows and adds them; adds none of them and throws if one is refused.
  public mutating func take(
    _ rows: [String], verifiedBy verifier: SignatureVerifier
  ) throws(SignedDataProblem) {
    var taken = self
    for text in rows {
      guard let jws = CompactJWS(text) else { throw .notSigned }
      taken.add(try KeptSignedData(jws: jws, appUserID: nil).verified(by: verifier))
    }
    self = taken
  }

  private mutating func add(_ row: ImportedAnswer) {
    let (transaction, info) = (row.answer.transactions.first, row.answer.renewalInfos.first)
    let key =
      transaction.map { Key.transaction($0.transactionID) }
      ?? .renewal(info?.originalTransactionID, info?.productID)
    if let known = rows[key]?.observedAt, known > row.observedAt ?? .distantPast { return }
    rows[key] = row
  }

  /// App of the transactions; `nil` if they name several apps or none.
  public var bundleID: BundleID? {
    let apps = Set(rows.values.compactMap(\.answer.bundleID))
    return apps.count == 1 ? apps.first : nil
  }

  public func problem(for app: BundleID, in environment: StoreEnvironment) -> SignedDataProblem? {
    for row in rows.values {
      if let bundle = row.answer.bundleID, bundle != app { return .otherApp(bundle, expected: app) }
      if row.answer.environment != environment {
        return .otherEnvironment(row.answer.environment, expected: environment)
      }
    }
    return nil
  }

  /// Returns the customer's rows as one answer, and the number of omitted chains, perhaps of other customers.
  public func history(
    of customer: CustomerID, knownBy chains: Set<OriginalTransactionID>, in environment: StoreEnvironment,
    revision: String?
  ) -> (history: CustomerHistory, leftOut: Int) {
    let all = rows.values.flatMap(\.answer.transactions)
    let named = Set(all.map(\.originalTransactionID))
    let own = Self.own(all, of: customer, known: chains)
    let kept = rows.values.filter { row in
      row.answer.transactions.allSatisfy { own.contains($0.originalTransactionID) }
        && row.answer.renewalInfos.allSatisfy { info in
          info.originalTransactionID.map { own.contains($0) || chains.contains($0) } ?? false
        }
    }
    var answer = Answer(environment: environment, bundleID: bundleID)
    answer.transactions = kept.flatMap(\.answer.transactions).sorted(by: Transaction.inOrder)
    answer.renewalInfos = kept.flatMap(\.answer.renewalInfos).sorted { $0.digest < $1.digest }
    answer.renewalTerms = kept.flatMap(\.answer.renewalTerms)
    answer.requestDate = kept.compactMap(\.observedAt).max()
    return (CustomerHistory(answer: answer, rows: kept, revision: revision), named.subtracting(own).count)
  }

  /// Returns the customer's chains: all chains except the ones signed for another Apple Account.
  ///
  /// The result is empty unless at least one chain is in `known` or contains the requested id.
  private static func own(
    _ transactions: [Transaction], of customer: CustomerID, known: Set<OriginalTransactionID>
  ) -> Set<OriginalTransactionID> {
    let asked = customer.rawValue
    let sure = Set(
      transactions.filter { row in
        known.contains(row.originalTransactionID) || row.originalTransactionID.rawValue == asked
          || row.transactionID.rawValue == asked || row.terms?.appTransactionID == asked
      }.map(\.originalTransactionID))
    guard !sure.isEmpty else { return [] }
    let accounts = Set(
      transactions.filter { sure.contains($0.originalTransactionID) }.compactMap(\.terms?.appTransactionID))
    let strangers = transactions.filter { row in
      guard !sure.contains(row.originalTransactionID), let account = row.terms?.appTransactionID else {
        return false
      }
      return !accounts.isEmpty && !accounts.contains(account)
    }.map(\.originalTransactionID)
    return Set(transactions.map(\.originalTransactionID)).subtracting(strangers)
  }
}
