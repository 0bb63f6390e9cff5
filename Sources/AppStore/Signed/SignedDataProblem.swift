import Subscriptions

/// Reason why signed data is refused; its text quotes only app ids, environments and signing dates.
public struct SignedDataProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  public var isOfUntrustedSigner = false
  /// Whether the data is correctly signed but names another app than the expected one.
  public var isOfOtherApp = false

  static func refused(_ description: String) -> Self { Self(description: description) }

  static func untrusted(_ description: String) -> Self {
    Self(description: description, isOfUntrustedSigner: true)
  }

  public static let notSigned = untrusted("it is not a JWS: three base64url parts separated by dots")
  static let unreadableHeader = untrusted("its header is not readable JSON")
  static let unreadableCertificate = untrusted("one of its certificates cannot be read")
  public static let signature = untrusted("its signature does not match its content: it was changed or cut")
  public static let local = untrusted("it was signed by Xcode or a local test, not by the App Store")
  public static let notification = refused("it is a server notification; use `subtop import notifications`")
  static let undated = refused("it does not say when it was signed")
  static let namelessApp = refused("it does not name its app, and the configuration lists the apps to accept")

  public static func unreadable(_ reason: String) -> Self {
    refused("its signature is valid, but it cannot be read: \(reason)")
  }

  static func otherApp(_ app: BundleID, expected: BundleID) -> Self {
    let apps = "(bundle id \(printable(app.rawValue))), not \(printable(expected.rawValue))"
    return Self(description: "it is for another app \(apps)", isOfOtherApp: true)
  }

  static func unlistedApp(_ app: BundleID) -> Self {
    let name = printable(app.rawValue)
    return refused(
      "it is for an app that the configuration does not list (bundle id \(name)); if it is yours, add [apps.\"\(name)\"]"
    )
  }

  static func otherEnvironment(_ environment: StoreEnvironment, expected: StoreEnvironment) -> Self {
    refused("its environment is \(printable(environment.rawValue)), not \(printable(expected.rawValue))")
  }
}

/// Apps that signed data may belong to, with their Apple ids if known; any app if the list is empty.
public struct OwnApps: Sendable {
  private let appleIDs: [BundleID: Int64?]

  public init(_ appleIDs: [BundleID: Int64?] = [:]) { self.appleIDs = appleIDs }

  /// Throws if an answer has transactions and its app is not listed; renewal infos alone name no app.
  func check(_ answer: Answer) throws(SignedDataProblem) {
    guard !answer.transactions.isEmpty else { return }
    try checkListed(answer.bundleID)
  }

  /// Throws unless the app is listed, or the list is empty.
  public func checkListed(_ app: BundleID?) throws(SignedDataProblem) {
    guard !appleIDs.isEmpty else { return }
    guard let app else { throw .namelessApp }
    guard appleIDs.keys.contains(app) else { throw .unlistedApp(app) }
  }

  /// Throws unless the app is listed; in production, its Apple id must also equal the listed id, if any.
  func check(_ app: BundleID?, appleID: Int64?, in environment: StoreEnvironment) throws(SignedDataProblem) {
    try checkListed(app)
    guard environment == .production, let app, let expected = appleIDs[app] ?? nil else { return }
    guard let appleID else {
      throw .refused("it does not contain its app's Apple id, which should be \(expected)")
    }
    guard appleID == expected else {
      throw .refused("it is for another app (Apple id \(appleID)), not \(expected)")
    }
  }
}
