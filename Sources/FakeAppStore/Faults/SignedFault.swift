/// Signed data that is not to be believed, or not to be believed of this customer.
public enum SignedFault: String, Sendable, Hashable, CaseIterable {
  case signature
  case otherRoot = "other-root"
  case otherApp = "other-app"
  case stranger

  var summary: String {
    switch self {
    case .signature: "Server API: one row, or every notification, with a signature of something else"
    case .otherRoot: "Server API: rows and notifications signed by another authority with Apple's marks"
    case .otherApp: "Server API: rows that are rightly signed, of another app"
    case .stranger: "Server API: somebody else's rows among the customer's own"
    }
  }
}
