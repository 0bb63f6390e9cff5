import FakeAppStore
import Glibc
import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// Answers about the wrong customers must not add their chains, and one correct sweep must repair the rest.
@Suite struct SwappingTests {
  static let subscribers = 200
  /// Number of sweeps with wrong answers, which `make soak` raises.
  static let rounds = getenv("SUBTOP_SOAK_LIES").flatMap { Int(String(cString: $0)) } ?? 3

  @Test(.tags(.long)) func swappedAnswersNeverAddForeignChains() async throws {
    let honest = try await FaultScene(subscribers: Self.subscribers, apps: 2)
    _ = try await honest.sweep()
    let scene = try await FaultScene(subscribers: Self.subscribers, apps: 2)
    let lies = [Fault.latestReceipt, .anotherReceipt, .stranger]
    for _ in 0..<Self.rounds {
      scene.setFaults(.sharing(0.9, among: lies))
      _ = try await scene.sweep(.all)
      let (now, then) = (try holdings(scene), try holdings(honest))
      for (user, chains) in now {
        #expect(chains.isSubset(of: then[user] ?? []), "\(user) holds a stranger's")
      }
      scene.advance(by: 6 * Milliseconds.hour)
    }
    #expect(lies.allSatisfy { scene.server.traffic.faults[$0] ?? 0 > 30 })
    let counts = lies.map { "\($0.name): \(scene.server.traffic.faults[$0] ?? 0)" }.joined(separator: ", ")
    scene.setFaults([])
    let last = try await scene.sweep(.all)
    #expect(last.counts.retryLater == 0 && last.counts.rejected == 0)
    #expect(try holdings(scene) == holdings(honest))
    #expect(try scene.figures() == honest.figures())
    #expect(try scene.dead() == honest.dead())
    print(
      "swapping App Store: \(counts); no user gained a chain, and one honest sweep brought all of it right")
  }

  private func holdings(_ scene: FaultScene) throws -> [AppUserID: Set<OriginalTransactionID>] {
    var held: [AppUserID: Set<OriginalTransactionID>] = [:]
    for user in scene.server.store.population.subscribers.compactMap(\.appUserID) {
      let chains = try scene.store.chains(matching: user.rawValue, at: scene.now)
      held[user] = Set(chains.map(\.originalTransactionId))
    }
    return held
  }
}
