import AppStore
import FoundationEssentials
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct NotificationHistoryWalkTests {
  struct Body: Decodable {
    var startDate: Int64
    var endDate: Int64
    var onlyFailures: Bool?
  }

  struct Page: Encodable {
    struct Item: Encodable {
      struct Attempt: Encodable {
        var attemptDate: Int64 = 1_767_225_600_000
        var sendAttemptResult = "TIMED_OUT"
      }
      var signedPayload: String
      var sendAttempts = [Attempt()]
    }
    var notificationHistory: [Item]
    var hasMore = false
    var paginationToken: String?
  }

  private static let end = Instant(milliseconds: 1_767_225_600_000)

  private final class Scene {
    let server: CannedServer
    var taken: [String] = []
    var windows: [Instant] = []

    init(_ reply: @escaping @Sendable (Body, String?) -> CannedReply) throws {
      server = try CannedServer { request in
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)),
          request.headers["authorization"]?.hasPrefix("Bearer ") == true
        else { return .answer("no question", status: 400) }
        let token = request.path.firstRange(of: "?paginationToken=").map {
          String(request.path[$0.upperBound...])
        }
        return reply(body, token)
      }
    }

    deinit { server.close() }

    func walk(
      days: Int64, onlyFailures: Bool = false
    ) throws -> Int {
      var options = SweepOptions()
      options.limits = .patient
      options.serverAPI = try AppStoreEndpoint("http://127.0.0.1:\(server.port)")
      let pem = try #require(SharedSecret(ServerAPIScene.pem))
      let clock: @Sendable () -> Instant = { NotificationHistoryWalkTests.end }
      let key = try #require(ServerAPIKey(issuerID: "i", keyID: "KEY1", pem: pem, clock: clock))
      let walk = NotificationHistoryWalk(
        of: ServerAPIScene.app, in: .production, key: key, options: options, onlyFailures: onlyFailures)
      return try walk.run(
        from: NotificationHistoryWalkTests.end - days * Milliseconds.day,
        until: NotificationHistoryWalkTests.end
      ) { items, until, isLast in
        taken += items.map { "\($0.signedPayload) \($0.attempts.first?.sendAttemptResult ?? "")" }
        if isLast { windows.append(until) }
      }
    }
  }

  private static func page(_ names: String..., more token: String? = nil) -> CannedReply {
    ServerAPIAnswer.json(
      Page(
        notificationHistory: names.map { Page.Item(signedPayload: $0) }, hasMore: token != nil,
        paginationToken: token))
  }

  @Test func everyPageOfEveryWindowIsTaken() throws {
    let asked = Mutex<[Body]>([])
    let scene = try Scene { body, token in
      asked.withLock { $0.append(body) }
      return token == nil ? Self.page("a", "b", more: "t/1") : Self.page("c")
    }
    #expect(try scene.walk(days: 40, onlyFailures: true) == 9)
    #expect(scene.taken.prefix(3) == ["a TIMED_OUT", "b TIMED_OUT", "c TIMED_OUT"])
    let bodies = asked.withLock { $0 }
    #expect(bodies.count == 6 && bodies.allSatisfy { $0.onlyFailures == true })
    #expect(scene.windows == [25, 10, 0].map { Self.end - $0 * Milliseconds.day })
    #expect(bodies.first?.startDate == (Self.end - 40 * Milliseconds.day).rawValue)
    #expect(bodies.last?.endDate == Self.end.rawValue)
  }

  @Test func aRefusedTokenRestartsTheWindow() throws {
    let tokens = Counter()
    let scene = try Scene { _, token in
      guard token != nil else { return Self.page("a", more: "t") }
      return tokens.next() == 1 ? ServerAPIAnswer.error(4_000_014) : Self.page("b")
    }
    #expect(try scene.walk(days: 1) == 2)
    #expect(scene.taken.map { $0.prefix(1) } == ["a", "a", "b"])
  }

  @Test func aStartThatIsTooEarlyIsMoved() throws {
    let first = (Self.end - 8 * Milliseconds.day).rawValue
    let scene = try Scene { body, _ in
      body.startDate < first ? ServerAPIAnswer.error(4_000_012) : Self.page("a")
    }
    #expect(try scene.walk(days: 10) == 1)
  }

  @Test func retriesTransientFailures() throws {
    let requests = Counter()
    let scene = try Scene { _, _ in
      requests.next() <= 2 ? ServerAPIAnswer.error(5_000_001) : Self.page("a")
    }
    #expect(try scene.walk(days: 1) == 1)
  }

  @Test func aRefusedKeyEndsIt() throws {
    let scene = try Scene { _, _ in .answer("Unauthenticated", status: 401) }
    let refused = NotificationHistoryProblem.keyRefused(
      StoppedApp.RefusedKey(keyID: "KEY1", clockAheadMs: nil))
    #expect(throws: refused) { try scene.walk(days: 1) }
  }

  @Test func endlessPagesStopTheWalk() throws {
    let scene = try Scene { _, _ in Self.page("a", more: "same") }
    #expect(throws: NotificationHistoryProblem.endless) { try scene.walk(days: 1) }
  }
}
