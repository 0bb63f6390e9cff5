import Subscriptions

/// A request to the Server API about one customer: *App Store Server API*.
package enum ServerAPICall: Hashable, Sendable {
  /// *Get Transaction History*, version 2, which includes finished consumables.
  case history(revision: String?)
  /// *Get All Subscription Statuses*.
  case statuses

  /// Kinds that have separate rate limits.
  package enum Kind: Hashable, Sendable { case history, statuses }

  var kind: Kind {
    switch self {
    case .history: .history
    case .statuses: .statuses
    }
  }

  func path(of customer: CustomerID) -> String {
    let id = PercentEncoding.of(customer.rawValue)
    switch self {
    case .history(let revision):
      let from = revision.map { "?revision=" + PercentEncoding.of($0) } ?? ""
      return "/inApps/v2/history/\(id)\(from)"
    case .statuses: return "/inApps/v1/subscriptions/\(id)"
    }
  }
}

/// Percent-encoding by RFC 3986 §2.1 of everything except unreserved characters.
enum PercentEncoding {
  static func of(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return encoded
  }
}
