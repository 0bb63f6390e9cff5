import AppStore
import FakeAppStore
import Subscriptions
import TestSupport

/// The same subscribers without HTTP, without a process and without a store: each receipt is handed to the fake
/// App Store's function, and the answers to the domain.
struct PureWorld: Sendable {
  /// The chains as known at the instant.
  private var dated: [Chain] = []
  /// Chains of iOS 6 style answers, which bear no date of their own: they count as observed when they were read, so that
  /// nobody knew of them at the instant.
  private var undated: [Chain] = []
  private let receipts: Int
  /// Receipts by the status that ended their asking.
  var statuses: [Int: Int] = [:]
  /// Receipts that production sent to the sandbox.
  var rerouted = 0
  var transactions = 0
  /// What is known at the instant of the sweep.
  private(set) var population = Population([], receipts: 0, catalog: FakeCatalog.catalog)

  static let shared = Task { try PureWorld(of: await World.shared.value) }
  static let today = Task { try PureWorld(of: await World.today.value) }

  private init(of world: World) throws {
    let now = world.now
    let store = FakeStore(population: FakePopulation(subscribers: world.subscribers, founded: now))
    receipts = world.subscribers
    var chains: [Key: Chain] = [:]
    for handed in store.receipts(at: now) {
      guard let answer = try answer(to: handed.receipt, from: store, at: now) else { continue }
      let observed = answer.requestDate ?? now + 1
      for original in Set(answer.transactions.map(\.originalTransactionID)) {
        let key = Key(environment: answer.environment, original: original)
        let chain = chains[key] ?? Chain(environment: answer.environment, originalTransactionID: original)
        chains[key] = chain.taking(answer, user: handed.appUserID, at: observed)
      }
    }
    for chain in chains.values {
      transactions += chain.transactions.count
      if chain.validatedAt == now { dated.append(chain) } else { undated.append(chain) }
    }
    population = Population(dated, receipts: receipts, catalog: FakeCatalog.catalog)
  }

  /// Lines that nobody knew of at the instant.
  var undatedLines: [Line] { undated.flatMap { $0.lines(catalog: FakeCatalog.catalog) } }

  /// Everything known at an instant after the sweep.
  func population(at later: Instant) -> Population {
    let since = undated.map { chain in
      var chain = chain
      chain.validatedAt = later
      return chain
    }
    return Population(dated + since, receipts: receipts, catalog: FakeCatalog.catalog)
  }

  private struct Key: Hashable {
    var environment: StoreEnvironment
    var original: OriginalTransactionID
  }

  /// What Apple's rules come to: production first, the sandbox where production says so.
  private mutating func answer(
    to receipt: ReceiptData, from store: FakeStore, at now: Instant
  ) throws -> Answer? {
    let body = try VerifyReceiptBody(receipt.base64, password: store.sharedSecret).json
    var response = try VerifyReceiptResponse(
      decoding: store.answer(to: body, endpoint: .production, at: now).body, from: .production)
    if response.status.rawValue == 21007 {
      rerouted += 1
      response = try VerifyReceiptResponse(
        decoding: store.answer(to: body, endpoint: .sandbox, at: now).body, from: .sandbox)
    }
    statuses[response.status.rawValue, default: 0] += 1
    return response.answer
  }
}

extension Chain {
  /// The chain with what one answer says of it.
  fileprivate func taking(_ answer: Answer, user: AppUserID?, at observed: Instant) -> Chain {
    var chain = self
    let known = Set(transactions.map(\.transactionID))
    let rows = answer.transactions.filter {
      $0.originalTransactionID == originalTransactionID && !known.contains($0.transactionID)
    }
    chain.transactions += rows
    for row in rows { chain.sightings[row.transactionID] = Sighting(first: observed, latest: observed) }
    let infos = answer.renewalInfos.filter { $0.originalTransactionID == originalTransactionID }
    let news = infos.map { RenewalObservation(info: $0, observedAfter: nil, observedAt: observed) }
    chain.renewals += news.filter { !chain.renewals.contains($0) }
    if let user { chain.users.insert(user) }
    chain.validatedAt = observed
    return chain
  }
}
