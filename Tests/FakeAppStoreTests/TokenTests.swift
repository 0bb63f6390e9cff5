import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
  typealias Change = @Sendable (inout ServerAPIScene.Claims, inout ServerAPIScene.Header) -> Void

  private static let believed: [(String, Change)] = [
    ("as it should be", { _, _ in }), ("no typ", { $1.typ = nil }),
    ("issued two seconds ahead", { claims, _ in claims.iat = FakeClock.realNow.rawValue / 1000 + 2 }),
    ("no instant of issue, as from Apple's libraries", { claims, _ in claims.iat = nil }),
    (
      "no instant of issue, and nearly an hour left",
      { claims, _ in (claims.iat, claims.exp) = (nil, FakeClock.realNow.rawValue / 1000 + 3590) }
    ),
    ("an hour long", { claims, _ in claims.exp = (claims.iat ?? 0) + 3600 }),
  ]

  private static let others: [(String, Change)] = [
    ("issued an hour ahead", { claims, _ in claims.move(by: 3600) }),
    ("expired", { claims, _ in claims.move(by: -900) }),
    ("more than an hour long", { claims, _ in claims.exp = (claims.iat ?? 0) + 3601 }),
    (
      "no instant of issue, and more than an hour left",
      { claims, _ in (claims.iat, claims.exp) = (nil, FakeClock.realNow.rawValue / 1000 + 3700) }
    ),
    ("no end", { claims, _ in claims.exp = nil }), ("another key id", { $1.kid = "OTHER" }),
    ("another algorithm", { $1.alg = "HS256" }),
    ("another audience", { claims, _ in claims.aud = "appstoreconnect-v2" }),
    ("another issuer", { claims, _ in claims.iss = "somebody" }),
    ("no app", { claims, _ in claims.bid = nil }),
    ("another app", { claims, _ in claims.bid = "com.example.elsewhere" }),
    (
      "another app of the team",
      { claims, _ in
        claims.bid = ["com.example.lumen", "com.example.lumen2"].first { $0 != claims.bid }
      }
    ),
  ]

  @Test func areJudged() async throws {
    let ann = Town.first(.paying)
    let path = "/inApps/v2/history/\(ann.anyID)"
    try await withServer({ $0.apps = 2 }) { server, port in
      let scene = ServerAPIScene(server, port)
      let app = server.store.population[ann.index].bundleID
      var judged = Self.believed.map { ($0, scene.token(for: app, $1), true) }
      judged += Self.others.map { ($0, scene.token(for: app, $1), false) }
      judged += ["", "nonsense", "a.b.c", "eyJhbGciOiJub25lIn0.e30."].map { ($0, $0, false) }
      judged.append(("another key", scene.token(for: app, key: ES256Key.generate()), false))
      for (name, token, isBelieved) in judged {
        let exchange = await scene.get(path, token: token)
        #expect(exchange.status == (isBelieved ? 200 : 401), "\(name)")
        guard !isBelieved else { continue }
        #expect(exchange.headers["content-type"] == "text/plain", "\(name)")
        #expect(exchange.headers["date"]?.hasSuffix("GMT") == true, "\(name)")
      }
    }
  }
}

extension ServerAPIScene.Claims {
  fileprivate mutating func move(by seconds: Int64) {
    (iat, exp) = (iat.map { $0 + seconds }, exp.map { $0 + seconds })
  }
}
