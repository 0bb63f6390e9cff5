import Subscriptions

/// `SECRET` for every app, or `BUNDLE-ID=SECRET` for one.
struct SecretOption {
  /// What to write instead, in words without a capital and a full stop.
  struct Problem: Error, CustomStringConvertible {
    let description = "write a secret, or BUNDLE-ID=SECRET, of which neither is blank"
  }

  let bundleID: BundleID?
  let secret: String

  /// Throws a `Problem`.
  init(reading argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard let last = parts.last, !parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
      throw Problem()
    }
    bundleID = parts.count == 2 ? BundleID(parts[0]) : nil
    secret = last
  }
}
