import Subscriptions
import TestSupport
import Testing

@Suite("A reference model written from METRICS alone", .blocking, .tags(.long)) struct ReferenceModelTests {
  @Test func agreesOnAPopulation() async throws {
    let world = try await World.shared.value
    let subtop = try await world.small(80)
    let instant = Int(world.now.rawValue)
    let prices = try ReferenceModel.Prices(File.text(world.catalogFile))
    let population = try await ReferenceModel.Population(
      subtop.chains(at: instant), prices: prices, at: instant)
    #expect(population.chains.count > 60)
    var questions = [("production", 28), ("sandbox", 365), ("all", 365)].map {
      ReferenceModel.Question(instant: instant, days: $1, environment: $0)
    }
    let product = "com.example.lumen.pro.monthly"
    questions.append(.init(instant: instant, days: 365, environment: "all", products: [product]))
    let differences = try await subtop.differences(population, questions)
    #expect(differences == [])
  }

  @Test func agreesOnHostileChains() async throws {
    var generator = Seeded(20_250_601)
    var chains = (0..<300).map { HostileChain(number: $0, using: &generator) }
    let subtop = try Subtop()
    let answers = chains.flatMap { $0.answers(using: &generator) }.map { $0 + "\n" }.joined()
    for place in chains.indices { chains[place].sign(using: &generator) }
    let (authority, root) = try subtop.signingAuthority()
    let configuration = try subtop.file("config.toml", "root_certificate_file = \"\(root)\"\n")
    let signed = chains.flatMap(\.signed).map { authority.sign($0) + "\n" }
    #expect(signed.count > 10)
    for (kind, name, text) in [
      ("catalog", "prices.csv", HostileCatalog.csv), ("responses", "answers.jsonl", answers),
      ("transactions", "signed", signed.joined()),
    ] {
      let outcome = try await subtop.run(
        "import", kind, try subtop.file(name, text), "--config", configuration)
      try #require(outcome.ending == .code(0), "\(outcome.errors)")
    }
    let prices = try ReferenceModel.Prices(HostileCatalog.csv)
    for days in [0, 61] {
      let instant = HostileChain.now + days * ReferenceModel.day
      let printed = try await subtop.chains(at: instant)
      let population = try ReferenceModel.Population(printed, prices: prices, at: instant)
      #expect(population.losses(of: chains, prices) == [])
      let products = ["x.gold.month", "x.silver.month", "x.other.month"]
      let questions = [
        ReferenceModel.Question(instant: instant, days: 28, environment: "production"),
        .init(instant: instant, days: 365, environment: "all"),
        .init(instant: instant, days: 60, environment: "all", products: products),
      ]
      let differences = try await subtop.differences(population, days == 0 ? questions : [questions[1]])
      #expect(differences == [], "\(differences.prefix(12))")
    }
  }
}
