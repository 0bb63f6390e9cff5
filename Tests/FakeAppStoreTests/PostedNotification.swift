import AppStore
import FakeAppStore
import FoundationEssentials
import Subscriptions

/// A notification of version 2 as a test reads it, once its signature has been verified.
struct PostedNotification: SignedPayload, Hashable {
  let notificationType: String
  let subtype: String?
  let notificationUUID: String
  let version: String
  let signedDate: Int64
  let data: Content

  struct Content: Decodable, Sendable, Hashable {
    let appAppleId: Int64?
    let bundleId: String
    let environment: String
    let signedTransactionInfo: String?
    let signedRenewalInfo: String?
    let status: Int?
  }

  var signedAt: Instant? { Instant(milliseconds: signedDate) }
  var kind: String { subtype.map { "\(notificationType) \($0)" } ?? notificationType }

  // Two signatures of one thing are not the same.
  static func == (left: Self, right: Self) -> Bool { left.notificationUUID == right.notificationUUID }
  func hash(into hasher: inout Hasher) { hasher.combine(notificationUUID) }
}

extension ServerAPIScene {
  /// - Parameter body: as it is posted.
  func notification(_ body: [UInt8]) throws -> PostedNotification {
    guard let text = try JSONValue(body)["signedPayload"]?.text else { throw Missing() }
    return try verifier.read(text, as: PostedNotification.self)
  }

  /// Every page of a notification history, with the results of the attempts.
  func notifications(
    _ body: String, _ environment: StoreEnvironment = .production
  ) async throws -> [(notification: PostedNotification, results: [String])] {
    var all: [(PostedNotification, [String])] = []
    var token: String?
    repeat {
      let query = token.map { "?paginationToken=\($0)" } ?? ""
      let exchange = await get(
        "/inApps/v1/notifications/history" + query, environment, method: "POST", body: body)
      guard exchange.status == 200, let answer = exchange.answer else { throw Missing() }
      for item in answer["notificationHistory"]?.list ?? [] {
        guard let text = item["signedPayload"]?.text else { throw Missing() }
        let results = (item["sendAttempts"]?.list ?? []).compactMap { $0["sendAttemptResult"]?.text }
        all.append((try verifier.read(text, as: PostedNotification.self), results))
      }
      token = answer["paginationToken"]?.text
      guard (token != nil) == (answer["hasMore"] == .flag(true)) else { throw Missing() }
    } while token != nil
    return all
  }
}
