/// Why a sweep could not begin or go on. What was committed before stays.
public enum SweepError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store's own sentence.
  case store(String)
  /// libcurl could not start.
  case transport(String)

  public var description: String {
    switch self {
    case .store(let sentence): sentence
    case .transport(let text): "The sweep could not start libcurl: \(text)."
    }
  }
}
