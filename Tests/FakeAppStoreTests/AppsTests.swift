import AppStore
import FakeAppStore
import FoundationEssentials
import Subscriptions
import Testing

@Suite struct AppsTests {
  private let population = FakePopulation(subscribers: 600, seed: 1, founded: Town.now, apps: 3)
  private var store: FakeStore {
    FakeStore(
      population: population, sharedSecret: "primary",
      sharedSecrets: [FakeCatalog.bundleID(ofApp: 1): "second", FakeCatalog.bundleID(ofApp: 2): "third"])
  }

  @Test func takeTurns() {
    let names = ["com.example.lumen", "com.example.lumen2", "com.example.lumen3"].map { BundleID($0) }
    #expect(population.bundleIDs == names)
    for subscriber in population.subscribers { #expect(subscriber.bundleID == names[subscriber.index % 3]) }
  }

  @Test("Whose app it is changes nothing else")
  func areTheSamePeople() {
    for (one, other) in zip(population.subscribers, Town.population.subscribers) {
      #expect(one.kind == other.kind && one.appUserID == other.appUserID)
      let (there, here) = (one.history(until: Town.now), other.history(until: Town.now))
      #expect(there.transactions == here.transactions && there.renewalInfos == here.renewalInfos)
    }
  }

  @Test func areNamedByReceiptAndAnswer() throws {
    var answered = Set<BundleID>()
    for subscriber in population.subscribers.prefix(300) where subscriber.environment == .production {
      let handed = store.receipt(of: subscriber, at: Town.now)
      #expect(handed.bundleID == subscriber.bundleID)
      #expect(handed.jsonLine.contains("\"bundle_id\":\"\(subscriber.bundleID)\""))
      let bytes = Data(base64Encoded: handed.receipt.base64).map(Array.init) ?? []
      if subscriber.kind != .legacy {
        #expect(bytes.firstRange(of: Array(subscriber.bundleID.rawValue.utf8)) != nil)
      }
      let answer = ask(subscriber, with: store.sharedSecret(of: subscriber.bundleID))
      guard answer.status == 0 || answer.status == 21006 else { continue }
      let read = try VerifyReceiptResponse(decoding: answer.body).answer
      #expect(read?.bundleID == subscriber.bundleID || subscriber.kind == .legacy)
      answered.insert(subscriber.bundleID)
    }
    #expect(answered == Set(population.bundleIDs))
  }

  struct Password: Sendable, CustomTestStringConvertible {
    let app: Int
    let secret: String
    let isRight: Bool
    var testDescription: String { "app \(app + 1) with the secret \(secret)" }
  }

  @Test(
    arguments: [
      Password(app: 0, secret: "primary", isRight: true), Password(app: 0, secret: "second", isRight: false),
      Password(app: 1, secret: "second", isRight: true), Password(app: 1, secret: "primary", isRight: false),
      Password(app: 1, secret: "third", isRight: false), Password(app: 2, secret: "third", isRight: true),
      Password(app: 2, secret: "second", isRight: false), Password(app: 2, secret: "", isRight: false),
    ])
  func takeTheirOwnSecretOnly(_ password: Password) throws {
    let app = FakeCatalog.bundleID(ofApp: password.app)
    let subscriber = try #require(
      population.subscribers.first {
        $0.bundleID == app && $0.kind == .paying && $0.accountGoneFrom == nil
      })
    #expect(ask(subscriber, with: password.secret).status == (password.isRight ? 0 : 21004))
  }

  @Test func areServedSideBySide() async throws {
    try await withServer({
      $0.apps = 2
      $0.sharedSecrets = [FakeCatalog.bundleID(ofApp: 1): "second"]
    }) { server, port in
      let people = Array(server.store.population.subscribers.prefix(40))
      for subscriber in people {
        let receipt = server.store.receipt(of: subscriber, at: Town.now).receipt.base64
        _ = await HTTPExchange.post(Town.body(receipt), to: "/verifyReceipt", port: port)
      }
      let traffic = server.traffic
      for app in server.store.population.bundleIDs { #expect(traffic.requests(about: app) == 20) }
    }
  }

  private func ask(_ subscriber: Subscriber, with secret: String) -> FakeAnswer {
    let receipt = store.receipt(of: subscriber, at: Town.now).receipt.base64
    return store.answer(to: Town.body(receipt, password: secret), endpoint: .production, at: Town.now)
  }
}
