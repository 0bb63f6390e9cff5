import Subscriptions
import Sweep
import Testing

@Suite struct AppBreakersTests {
  static let app = BundleID("com.example.app")
  static let other = BundleID("com.example.other")

  @Test func threeRefusalsInARowStopAnAppAndNoOther() {
    var breakers = AppBreakers<Int>()
    #expect(breakers.refuse(Self.app, 1) == nil)
    #expect(breakers.refuse(Self.app, 2) == nil)
    #expect(breakers.refuse(Self.app, 3) == [1, 2, 3])
    #expect(breakers.isStopped(Self.app) && !breakers.isStopped(Self.other) && !breakers.isStopped(nil))
    #expect(breakers.stopped == [StoppedApp(bundleID: Self.app, reason: .secretRefused)])
    // Those that were on the wire.
    #expect(breakers.refuse(Self.app, 4) == [4])
    #expect(!breakers.mayBegin(Self.app) && breakers.mayBegin(Self.other))
  }

  @Test func anAnswerBetweenThemMakesRefusalsTheirReceipts() {
    var breakers = AppBreakers<Int>()
    for number in 1...6 {
      #expect(breakers.refuse(Self.app, number) == nil)
      if number % 2 == 0 { #expect(breakers.accept(Self.app) == [number - 1, number]) }
    }
    #expect(breakers.settle() == [])
    #expect(!breakers.isStopped(Self.app))
  }

  @Test func anAppWithFewReceiptsIsStoppedAtTheEnd() {
    var breakers = AppBreakers<Int>()
    _ = breakers.refuse(Self.app, 1)
    _ = breakers.accept(Self.other)
    _ = breakers.refuse(Self.other, 2)
    #expect(breakers.settle() == [2])
    #expect(breakers.stopped == [StoppedApp(bundleID: Self.app, reason: .secretRefused)])
  }

  @Test func anUnprovenSecretIsTriedOnFewReceiptsAtOnce() {
    var breakers = AppBreakers<Int>()
    for _ in 0..<3 {
      #expect(breakers.mayBegin(Self.app))
      breakers.begin(Self.app)
    }
    #expect(!breakers.mayBegin(Self.app))
    breakers.land(Self.app)
    #expect(breakers.mayBegin(Self.app))
    _ = breakers.refuse(Self.app, 1)
    #expect(!breakers.mayBegin(Self.app))
    _ = breakers.accept(Self.app)
    #expect(breakers.mayBegin(Self.app))
  }

  @Test func anAppWithoutASecretStaysStoppedForThatReason() {
    var breakers = AppBreakers<Int>()
    breakers.stop(nil, because: .noSecret)
    _ = breakers.refuse(nil, 1)
    #expect(breakers.stopped == [StoppedApp(bundleID: nil, reason: .noSecret)])
  }
}
