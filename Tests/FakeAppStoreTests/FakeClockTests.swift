import FakeAppStore
import Subscriptions
import Testing

@Suite struct FakeClockTests {
  @Test func aFixedClockMovesByHandAlone() {
    let clock = FakeClock(fixedAt: Town.now)
    #expect(clock.now == Town.now)
    clock.advance(by: 5 * Milliseconds.day)
    #expect(clock.now == Town.now + 5 * Milliseconds.day)
    clock.set(to: Town.now)
    #expect(clock.now == Town.now)
  }

  @Test func aFastClockOvertakesTheYear() async {
    let clock = FakeClock(startingAt: Town.now, speed: 1e9)
    while clock.now < Town.now + 365 * Milliseconds.day { await Task.yield() }
    #expect(clock.now > Town.now)
  }
}
