import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// The observed intervals of a value must not depend on the order of its sightings.
@Suite struct RunsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// Sightings in order of arrival; `nil` if the validation omitted the item.
    var sightings: [(Int, String?)]
    /// First day, last day and value of each interval.
    var runs: [(Int, Int, String)]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "nothing", sightings: [], runs: []),
    Case(name: "the same again", sightings: [(1, "A"), (3, "A")], runs: [(1, 3, "A")]),
    Case(
      name: "taken back", sightings: [(1, "A"), (3, "B"), (5, "A")],
      runs: [(1, 1, "A"), (3, 3, "B"), (5, 5, "A")]),
    Case(
      name: "what lay between comes last", sightings: [(1, "A"), (5, "A"), (3, "B")],
      runs: [(1, 1, "A"), (3, 3, "B"), (5, 5, "A")]),
    Case(
      name: "what lay between repeated sightings",
      sightings: [(1, "A"), (2, "A"), (8, "A"), (9, "A"), (4, "B")],
      runs: [(1, 2, "A"), (4, 4, "B"), (8, 9, "A")]),
    Case(name: "the first comes last", sightings: [(9, "A"), (1, "A")], runs: [(1, 9, "A")]),
    Case(
      name: "a late answer that leaves it out", sightings: [(1, "A"), (9, "A"), (5, nil)],
      runs: [(1, 1, "A"), (9, 9, "A")]),
    Case(
      name: "left out, then shown by another answer of that instant",
      sightings: [(1, "A"), (9, "A"), (5, nil), (5, "A")], runs: [(1, 9, "A")]),
    Case(
      name: "two answers of one instant", sightings: [(1, "A"), (3, "A"), (3, "B"), (5, "A")],
      runs: [(1, 1, "A"), (3, 3, "AB"), (5, 5, "A")]),
    Case(name: "never shown", sightings: [(1, nil), (2, nil)], runs: []),
  ]

  /// Values are sets of letters, so that two answers of one instant combine to the union of their sets.
  private func taken(_ sightings: [(Int, String?)]) -> (ObservationIntervals<Set<Character>>, ValidationLog) {
    var (runs, log) = (ObservationIntervals<Set<Character>>(), ValidationLog())
    for (at, value) in sightings {
      runs.take(value.map { Set($0) }, at: day(at), validations: log.all) { $0.union($1) }
      log.insert(day(at), hasRenewals: true)
    }
    return (runs, log)
  }

  private func expected(_ runs: [(Int, Int, String)]) -> [ObservationIntervals<Set<Character>>.Run] {
    runs.map { .init(from: day($0), through: day($1), value: Set($2)) }
  }

  @Test(arguments: cases)
  func named(_ example: Case) {
    #expect(taken(example.sightings).0.runs == expected(example.runs))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 31, 32, 1_700_000_000_000, .max])
  func roundTripsThroughText(_ first: Int64) {
    var log = ValidationLog()
    log.insert(Instant(milliseconds: first), hasRenewals: false)
    log.insert(Instant(milliseconds: first &+ 86_400_000), hasRenewals: true)
    log.insert(Instant(milliseconds: .max), hasRenewals: false)
    #expect(ValidationLog(log.text) == log)
  }
}
