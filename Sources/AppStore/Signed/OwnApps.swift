import Subscriptions

/// The apps that what Apple signed may be for, with their Apple ids where these are known.
public struct OwnApps: Sendable {
  private let appleIDs: [BundleID: Int64?]

  /// - Parameter appleIDs: by bundle id; where there is none at all, every app will do.
  public init(_ appleIDs: [BundleID: Int64?] = [:]) { self.appleIDs = appleIDs }

  /// Checks a transaction, which tells no Apple id; a renewal info by itself does not even name its app.
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

  /// - Parameter appleID: as Apple says it, which it need not do in the sandbox.
  /// - Throws: why it is for none of them.
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
