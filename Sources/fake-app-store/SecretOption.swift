import ArgumentParser
import Subscriptions

/// `SECRET` for every app, or `BUNDLE-ID=SECRET` for one.
struct SecretOption {
  let bundleID: BundleID?
  let secret: String

  /// Throws a `ValidationError` that says what to write instead.
  init(reading argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard let last = parts.last, !parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
      throw ValidationError("write a secret, or BUNDLE-ID=SECRET, of which neither is blank")
    }
    bundleID = parts.count == 2 ? BundleID(parts[0]) : nil
    secret = last
  }
}
