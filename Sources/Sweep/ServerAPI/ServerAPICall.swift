import Subscriptions

/// A question of the Server API about one customer, by its address: *App Store Server API*.
package enum ServerAPICall: Hashable, Sendable {
  /// *Get Transaction History*, version 2, which has finished consumables as well.
  case history(revision: String?)
  /// *Get All Subscription Statuses*.
  case statuses

  /// What Apple counts requests by.
  package enum Kind: Hashable, Sendable { case history, statuses }

  var kind: Kind {
    switch self {
    case .history: .history
    case .statuses: .statuses
    }
  }

  /// Behind the address of the App Store.
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

/// RFC 3986 §2.1, of everything but the unreserved characters.
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
