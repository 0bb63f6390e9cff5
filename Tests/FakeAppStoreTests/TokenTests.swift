import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite struct TokenTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isBelieved: Bool
    let change: @Sendable (inout ServerAPIScene.Claims, inout ServerAPIScene.Header) -> Void

    init(
      _ name: String, isBelieved: Bool = false,
      _ change: @escaping @Sendable (inout ServerAPIScene.Claims, inout ServerAPIScene.Header) -> Void
    ) {
      (testDescription, self.isBelieved, self.change) = (name, isBelieved, change)
    }

    static let now = FakeClock.realNow.rawValue / 1000
    static let all = [
      Case("as it should be", isBelieved: true) { _, _ in },
      Case("no typ", isBelieved: true) { $1.typ = nil },
      Case("issued two seconds ahead", isBelieved: true) { claims, _ in
        claims.iat = FakeClock.realNow.rawValue / 1000 + 2
      },
      Case("an hour long", isBelieved: true) { claims, _ in claims.exp = (claims.iat ?? 0) + 3600 },
      Case("issued a minute ahead") { claims, _ in claims.iat = (claims.iat ?? 0) + 120 },
      Case("more than an hour long") { claims, _ in claims.exp = (claims.iat ?? 0) + 3601 },
      Case("expired") { claims, _ in (claims.iat, claims.exp) = (now - 900, now - 300) },
      Case("ends before it begins") { claims, _ in claims.exp = (claims.iat ?? 0) - 1 },
      Case("another key id") { $1.kid = "OTHER" }, Case("no key id") { $1.kid = nil },
      Case("another algorithm") { $1.alg = "HS256" },
      Case("another audience") { claims, _ in claims.aud = "appstoreconnect-v2" },
      Case("no audience") { claims, _ in claims.aud = nil },
      Case("another issuer") { claims, _ in claims.iss = "somebody" },
      Case("another app") { claims, _ in claims.bid = "com.example.elsewhere" },
      Case("another app of the team") { claims, _ in claims.bid = "com.example.lumen2" },
      Case("no app") { claims, _ in claims.bid = nil },
      Case("no end") { claims, _ in claims.exp = nil },
    ]
  }

  private static let ann = Town.first(.paying)

  @Test(arguments: Case.all) func isJudged(_ judged: Case) async throws {
    try await withServer({ $0.apps = 2 }) { server, port in
      let scene = try ServerAPIScene(server, port)
      let app = FakePopulation(subscribers: 5000, seed: 1, founded: Town.now, apps: 2)[Self.ann.index]
        .bundleID
      let token = scene.token(for: app) { claims, header in
        judged.change(&claims, &header)
        // Of two apps it is the one that the customer has not.
        if claims.bid == "com.example.lumen2", app.rawValue == "com.example.lumen2" {
          claims.bid = "com.example.lumen"
        }
      }
      let isBelieved = judged.isBelieved
      let exchange = await scene.get("/inApps/v2/history/\(Self.ann.anyID)", token: token)
      #expect(exchange.status == (isBelieved ? 200 : 401))
      if !isBelieved {
        #expect(exchange.answer == nil && exchange.headers["content-type"] == "text/plain")
        #expect(exchange.headers["date"]?.hasSuffix("GMT") == true)
      }
    }
  }

  @Test(arguments: ["", "nonsense", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
  func nonsenseIsNoToken(_ token: String) async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      #expect(await scene.get("/inApps/v2/history/\(Self.ann.anyID)", token: token).status == 401)
    }
  }

  @Test func anotherKeyIsNotBelieved() async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let other = try #require(ES256Key.generate())
      let token = scene.token(key: other)
      #expect(await scene.get("/inApps/v2/history/\(Self.ann.anyID)", token: token).status == 401)
    }
  }

  @Test("An app without a release is believed in the sandbox alone") func unreleased() async throws {
    let tester = Town.first(.tester)
    try await withServer({ $0.unreleasedApps = [FakeCatalog.bundleID] }) { server, port in
      let scene = try ServerAPIScene(server, port)
      #expect(await scene.history(Self.ann).status == 401)
      #expect(await scene.history(tester).status == 200)
    }
  }

  @Test func eachServerHasKeysOfItsOwn() async throws {
    let (one, other) = (FakeAppStoreServer(), FakeAppStoreServer())
    #expect(one.serverAPIKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    #expect(one.serverAPIKeyPEM != other.serverAPIKeyPEM)
    let root = try #require(Certificate(file: Array(one.rootCertificatePEM.utf8)))
    #expect(root.fingerprint == one.rootCertificate?.fingerprint)
    #expect(root.fingerprint != other.rootCertificate?.fingerprint)
  }

  @Test("More requests than allowed are told when to come again, in milliseconds") func rateLimit()
    async throws
  {
    try await withServer({ $0.serverAPIRate = 1 }) { server, port in
      let scene = try ServerAPIScene(server, port)
      let begun = FakeClock.realNow.rawValue
      // At once, so that they come within a second on a busy machine too.
      let refused = await withTaskGroup(of: HTTPExchange.self) { group in
        for _ in 0..<40 { group.addTask { await scene.statuses(Self.ann) } }
        return await group.first { $0.status != 200 }
      }
      let exchange = try #require(refused)
      #expect(exchange.status == 429 && exchange.errorCode == 4_290_000)
      let again = try #require(exchange.headers["retry-after"].flatMap(Int64.init))
      #expect((begun...FakeClock.realNow.rawValue + 2000).contains(again))
      #expect(await scene.history(Self.ann).status == 200, "another endpoint has a limit of its own")
    }
  }
}
