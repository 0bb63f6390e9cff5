import Subscriptions

/// Why a sweep could not begin or go on. What was committed before stays.
public enum SweepError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No shared secret for this app, or for receipts whose app is not known.
  case noSecret(BundleID?)
  /// The store's own sentence.
  case store(String)
  /// libcurl could not start.
  case transport(String)

  public var description: String {
    switch self {
    case .noSecret(let app?):
      "The sweep has no shared secret for \(app); set SUBTOP_SHARED_SECRET or name it in the configuration file."
    case .noSecret(nil):
      "The sweep has no shared secret for receipts of an app not known yet; set SUBTOP_SHARED_SECRET."
    case .store(let sentence): sentence
    case .transport(let text): "The sweep could not start libcurl: \(text)."
    }
  }
}
