import ArgumentParser
import FakeAppStore
import Subscriptions

struct PopulationOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "Number of subscribers. (default: 5000)",
    transform: WrittenNumber.whole(0...FakePopulation.most))
  var subscribers = 5000

  @Option(
    parsing: .unconditional, help: "Random seed; the same seed gives the same subscribers. (default: 1)",
    transform: WrittenNumber.whole(0...UInt64.max))
  var seed: UInt64 = 1

  @Option(
    parsing: .unconditional, help: "Number of apps, assigned to subscribers in turn. (default: 1)",
    transform: WrittenNumber.whole(1...FakePopulation.mostApps))
  var apps = 1

  @Flag(
    help:
      "Add events to the history (seasons, a price increase, a bad release), and new customers over time."
  )
  var stories = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start of the clock, ISO 8601 or milliseconds since 1970. (default: now)", valueName: "instant"),
    transform: WrittenInstant.read)
  var start: Instant?

  @Option(
    name: .customLong("missing"), parsing: .singleValue,
    help: "Index of a subscriber that only Apple's reports contain. May be repeated.",
    transform: WrittenNumber.whole(0...FakePopulation.most))
  var missing: [Int] = []

  func people(at now: Instant) -> FakePopulation {
    var people = FakePopulation(
      subscribers: subscribers, seed: seed, founded: now, apps: apps, stories: stories)
    people.missingFromStore = Set(missing)
    return people
  }

  func clock(speed: Double) -> FakeClock {
    FakeClock(startingAt: start ?? FakeClock.realNow, speed: speed)
  }
}
