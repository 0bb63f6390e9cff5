import ArgumentParser
import Subscriptions

/// `SECRET` for every app, or `BUNDLE-ID=SECRET` for one.
struct SecretOption: ExpressibleByArgument {
  let bundleID: BundleID?
  let secret: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard let last = parts.last, !parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) else { return nil }
    bundleID = parts.count == 2 ? BundleID(parts[0]) : nil
    secret = last
  }
}
