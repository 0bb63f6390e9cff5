import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
  typealias Change = @Sendable (inout ServerAPIScene.Claims, inout ServerAPIScene.Header) -> Void

  private static let believed: [(String, Change)] = [
    ("as it should be", { _, _ in }),
    ("no instant of issue, as from Apple's libraries", { claims, _ in claims.iat = nil }),
    ("an hour long", { claims, _ in claims.exp = (claims.iat ?? 0) + 3600 }),
  ]

  private static let others: [(String, Change)] = [
    (
      "issued an hour ahead",
      { claims, _ in (claims.iat, claims.exp) = (claims.iat.map { $0 + 3600 }, claims.exp.map { $0 + 3600 }) }
    ),
    ("expired", { claims, _ in claims.exp = claims.iat.map { $0 + 1 } }),
    ("more than an hour long", { claims, _ in claims.exp = (claims.iat ?? 0) + 3601 }),
    ("another key id", { $1.kid = "OTHER" }), ("another algorithm", { $1.alg = "HS256" }),
    ("another audience", { claims, _ in claims.aud = "appstoreconnect-v2" }),
    ("another issuer", { claims, _ in claims.iss = "somebody" }),
    ("no app", { claims, _ in claims.bid = nil }),
    ("another app", { claims, _ in claims.bid = "com.example.elsewhere" }),
  ]

  @Test func areJudged() async throws {
    let ann = Town.first(.paying)
    let path = "/inApps/v2/history/\(ann.anyID)"
    try await withServer({ $0.apps = 2 }) { server, port in
      let scene = ServerAPIScene(server, port)
      let app = server.store.population[ann.index].bundleID
      var judged = Self.believed.map { ($0, scene.token(for: app, $1), true) }
      judged += Self.others.map { ($0, scene.token(for: app, $1), false) }
      judged += ["", "a.b.c"].map { ($0, $0, false) }
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
