/// An error that prevents a sweep or ends it. What was committed before remains.
public enum SweepError: Error, Hashable, Sendable, CustomStringConvertible {
  case store(String)
  /// libcurl could not start, or no token could be signed.
  case transport(String)

  public var description: String {
    switch self {
    case .store(let sentence): sentence
    case .transport(let text): "The sweep could not start libcurl: \(text)."
    }
  }
}
