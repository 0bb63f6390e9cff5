import Dashboard
import Subscriptions
import Testing

@Suite("The guide") struct GuideTests {
  private static let steps = [
    ("3 g g enter", "Guide 2/5"), ("enter", "Guide 3/5"), ("q q f user-4821 enter enter", "Guide 4/5"),
    ("q q tab", "Guide 5/5"), ("w", "End of the guide"),
  ]

  private static func opened() -> Bench {
    var bench = Bench.opened()
    bench.guide(to: Sample.chain.appUserIds.first ?? AppUserID("user-4821"))
    return bench
  }

  @Test func advancesWhenFollowed() {
    var bench = Self.opened()
    #expect(bench.screen.contains("Guide 1/5") && bench.screen.contains("lists the rows"))
    #expect(bench.screen.contains("x ends the guide"))
    for (keys, said) in Self.steps {
      for key in keys.split(separator: " ") { bench.press(String(key)) }
      #expect(bench.screen.contains(said), "after \(keys): \(bench.screen)")
    }
    bench.wait(10_000)
    #expect(!bench.screen.contains("guide"))
  }

  @Test func otherKeysDoNotAdvance() {
    var bench = Self.opened()
    bench.press("w", "tab")
    #expect(bench.screen.contains("Guide 1/5"))
  }

  @Test func isLeftByAKey() {
    var bench = Self.opened()
    bench.press("x")
    #expect(!bench.screen.contains("Guide"))
    bench.press("x")
    #expect(bench.screen.contains("No sweep is running."))
  }

  @Test func aSweepGoesOn() {
    var bench = Self.opened()
    bench.press("s")
    #expect(bench.press("x") == [])
    #expect(!bench.screen.contains("Guide"))
    #expect(bench.press("x") == [.stopSweep])
    bench = Self.opened()
    bench.press("s")
    #expect(bench.press(":", "stop-sweep", "enter") == [.stopSweep])
  }
}
