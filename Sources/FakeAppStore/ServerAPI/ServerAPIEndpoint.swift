/// The endpoints of the App Store Server API that the fake has.
public enum ServerAPIEndpoint: String, Sendable, Hashable, CaseIterable {
  case history, statuses, transaction, notificationHistory, testNotification, testNotificationStatus
}

/// What a path asks for, and of which of the two stores.
struct ServerAPICall: Sendable, Hashable {
  let endpoint: ServerAPIEndpoint
  /// A customer's, or that of a test notification; empty where there is none.
  let id: String
  let isSandbox: Bool

  /// Nil where there is no such endpoint.
  init?(_ method: String, _ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    isSandbox = parts.first == "sandbox"
    let words = Array(isSandbox ? parts.dropFirst() : parts)
    guard words.first == "inApps", words.count >= 4 else { return nil }
    let place = words[1...].joined(separator: "/")
    let (folder, last) = (words[1..<words.count - 1].joined(separator: "/"), String(words.last ?? ""))
    switch (method, folder, place) {
    case ("GET", "v2/history", _): (endpoint, id) = (.history, last)
    case ("GET", "v1/subscriptions", _): (endpoint, id) = (.statuses, last)
    case ("GET", "v1/transactions", _): (endpoint, id) = (.transaction, last)
    case ("POST", _, "v1/notifications/history"): (endpoint, id) = (.notificationHistory, "")
    case ("POST", _, "v1/notifications/test"): (endpoint, id) = (.testNotification, "")
    case ("GET", "v1/notifications/test", _): (endpoint, id) = (.testNotificationStatus, last)
    default: return nil
    }
  }

  /// Before `/inApps`.
  static let sandbox = "/sandbox"

  /// Whether a path lies below the Server API's root, even if it has no endpoint.
  static func isBelow(_ path: String) -> Bool {
    ["/inApps", sandbox + "/inApps"].contains { path == $0 || path.hasPrefix($0 + "/") }
  }
}

/// A request with all that the Server API looks at.
struct ServerAPIRequest: Sendable {
  let call: ServerAPICall
  /// In their order: some may come more than once.
  var query: [(name: String, value: String)] = []
  /// The header of that name. It holds a token: never log it.
  var authorization: String?
  var body: [UInt8] = []

  func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
}
