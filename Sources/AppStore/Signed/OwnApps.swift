import Subscriptions

/// Apps that signed data may belong to, with their Apple ids if these are known.
public struct OwnApps: Sendable {
  private let appleIDs: [BundleID: Int64?]

  /// - Parameter appleIDs: Apple ids by bundle id. If it is empty, every app is accepted.
  public init(_ appleIDs: [BundleID: Int64?] = [:]) { self.appleIDs = appleIDs }

  /// Checks a transaction, which has no Apple id. A renewal info is accepted, since it names no app.
  func check(_ answer: Answer) throws(SignedDataProblem) {
    guard !answer.transactions.isEmpty else { return }
    try checkListed(answer.bundleID)
  }

  /// - Throws: if the app is not listed. If the configuration lists none, every app is accepted.
  public func checkListed(_ app: BundleID?) throws(SignedDataProblem) {
    guard !appleIDs.isEmpty else { return }
    guard let app else { throw .namelessApp }
    guard appleIDs.keys.contains(app) else { throw .unlistedApp(app) }
  }

  /// - Parameter appleID: Apple id in the data, which may be absent in the sandbox.
  /// - Throws: the reason why the data is for none of the apps.
  func check(
    _ app: BundleID?, appleID: Int64?, in environment: StoreEnvironment
  ) throws(SignedDataProblem) {
    guard !appleIDs.isEmpty else { return }
    guard let app else { throw .namelessApp }
    guard let known = appleIDs[app] else { throw .unlistedApp(app) }
    guard environment == .production, let expected = known else { return }
    guard let appleID else { throw .missingAppleID(expected: expected) }
    guard appleID == expected else { throw .otherAppleID(appleID, expected: expected) }
  }
}
