import Subscriptions
import Testing

/// A question to `report`, with how it is put to the domain.
struct Asking: CustomTestStringConvertible, Sendable {
  var panel: Panel
  var days = 28
  var environment = EnvironmentScope.production
  var products: [String] = []
  var limit = 1_000_000

  var testDescription: String {
    "\(panel.rawValue) \(days) d \(environment.rawValue) \(products.joined(separator: ","))"
      + (limit < 1_000_000 ? ", the first \(limit)" : "")
  }

  func arguments(at instant: Instant) -> [String] {
    [
      "report", panel.rawValue, "--format", "json", "--window", "\(days)d", "--environment",
      environment.rawValue,
    ]
      + ["--limit", "\(limit)", "--at", "\(instant.rawValue)"] + products.flatMap { ["--product", $0] }
  }

  func question(at instant: Instant) -> Question {
    Question(
      panel: panel, at: instant, windowDays: days, environment: environment,
      products: Set(products.map { ProductID($0) }), limit: limit)
  }

  static let all =
    Panel.allCases.map { Asking(panel: $0) }
    + Panel.allCases.map { Asking(panel: $0, days: 365, environment: .all, limit: 500) }
    + Panel.allCases.map {
      Asking(
        panel: $0, days: 90, products: ["com.example.lumen.pro.monthly", "com.example.lumen.plus.monthly"])
    }
    + [Asking(panel: .churn, days: 90, environment: .sandbox)]
}

@Suite("Figures")
struct FiguresTests {
  /// The store answers from derived rows, the domain from the answers themselves.
  @Test(arguments: Asking.all)
  func areWhatThePureDomainGives(_ asking: Asking) async throws {
    let world = try await World.shared.value
    let pure = try await PureWorld.shared.value
    let outcome = try await world.subtop.run(asking.arguments(at: world.now))
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    let expected = try JSON.text(of: pure.population.report(asking.question(at: world.now)))
    // Values are read only to name what differs, since the lists are long.
    guard outcome.output != expected + "\n" else { return }
    let differences = try outcome.json.differences(from: JSON(Array(expected.utf8)))
    #expect(differences == [])
  }

  /// Without an instant the store answers from derived rows alone, and everything known counts.
  @Test(arguments: Panel.allCases.filter { $0 != .events })
  func areWhatThePureDomainGivesToday(_ panel: Panel) async throws {
    let world = try await World.today.value
    let pure = try await PureWorld.today.value
    let json = try await world.subtop.run("report", panel.rawValue, "--format", "json", "--window", "90d")
      .json
    let now = Instant(milliseconds: Int64(try #require(json["as_of_ms"]?.integer)))
    #expect(now > world.now)
    let question = Question(panel: panel, at: now, windowDays: 90)
    let expected = try JSON(Array(JSON.text(of: pure.population(at: now).report(question)).utf8))
    // When an answer without a date was read, only the machine's clock of then could tell.
    let differences = json.differences(from: expected).filter {
      !$0.contains(".observed_at_ms: ") && !$0.contains(".detection_lag_ms: ")
    }
    #expect(differences == [])
  }

  /// A comparison of two empty reports would prove nothing.
  @Test func areOfSomething() async throws {
    let world = try await World.today.value
    let figures: [(String, [String])] = [
      ("active", ["paid", "trial", "grace", "renewing", "auto_renew_off"]),
      ("billing-retry", ["lines", "users"]),
      ("churn", ["lost_paid", "lost_trial", "voluntary", "involuntary", "base_at_start"]),
      ("refunds", ["count", "one_time", "cohort.paid_transactions", "cohort.refunded"]),
      ("upgrades", ["immediate.upgrade", "at_renewal.downgrade", "pending"]),
      ("overview", ["active_paid", "refunds"]),
    ]
    for (panel, keys) in figures {
      let outcome = try await world.subtop.run("report", panel, "--format", "json", "--window", "365d")
      let data = try #require(try outcome.json["data"])
      for key in keys { #expect(try #require(data[key]?.integer) > 0, "\(panel) \(key)") }
    }
    let trust = try await world.subtop.run("report", "active", "--format", "json").json[
      "trust"]
    for key in ["lines", "unpriced_transactions", "excluded_sandbox", "excluded_family_shared"] {
      #expect(try #require(trust?[key]?.integer) > 0, "\(key)")
    }
  }

  @Test(arguments: [Panel.billingRetry, .upgrades, .events])
  func limitsRowsAndNothingElse(_ panel: Panel) async throws {
    let world = try await World.today.value
    let arguments = ["report", panel.rawValue, "--format", "json", "--limit"]
    let all = try await world.subtop.run(arguments + ["1000000"]).json
    let none = try await world.subtop.run(arguments + ["0"]).json
    #expect(try #require(all["data.rows"]?.list.count) > 3)
    #expect(none["data.rows"]?.list == [])
    let differences = none["data"]?.differences(from: all["data"] ?? .null)
    #expect(differences?.allSatisfy { $0.hasPrefix("rows") } == true)
  }
}
