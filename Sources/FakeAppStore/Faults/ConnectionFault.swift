/// What goes wrong before the first byte of HTTP.
public enum ConnectionFault: String, Sendable, Hashable, CaseIterable {
  case refuse

  var summary: String {
    switch self {
    case .refuse: "the connection is reset as soon as it is made"
    }
  }
}
