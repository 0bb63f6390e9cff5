import ArgumentParser
import FakeAppStore
import Subscriptions

struct PopulationOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many subscribers there are. (default: 5000)", valueName: "n"),
    transform: WrittenNumber.whole(0...FakePopulation.most))
  var subscribers = 5000

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Which subscribers they are: the same number gives the same people. (default: 1)", valueName: "n"),
    transform: WrittenNumber.whole(0...UInt64.max))
  var seed: UInt64 = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many apps they use, by turns. (default: 1)", valueName: "n"),
    transform: WrittenNumber.whole(1...FakePopulation.mostApps))
  var apps = 1

  @Flag(
    help:
      "Give them a past with stories in it (seasons, a price increase, a bad release), and let customers go on coming."
  )
  var stories = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When the clock starts, as ISO 8601 or milliseconds since 1970 (default: now).", valueName: "instant"),
    transform: WrittenInstant.read)
  var start: Instant?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Make every receipt so many bytes longer. (default: 0)", valueName: "bytes"),
    transform: WrittenNumber.whole(0...40_000))
  var receiptPadding = 0

  func people(at now: Instant) -> FakePopulation {
    FakePopulation(subscribers: subscribers, seed: seed, founded: now, apps: apps, stories: stories)
  }

  func clock(speed: Double) -> FakeClock {
    FakeClock(startingAt: start ?? FakeClock.realNow, speed: speed)
  }
}
