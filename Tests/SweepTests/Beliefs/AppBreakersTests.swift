import Subscriptions
import Sweep
import Testing

@Suite struct AppBreakersTests {
  static let app = BundleID("com.example.app")
  static let other = BundleID("com.example.other")

  @Test func threeRefusalsInARowStopAnAppAndNoOther() {
    var breakers = AppBreakers<Int>()
    let told1 = breakers.refuse(Self.app, 1)
    #expect(told1 == nil)
    let told2 = breakers.refuse(Self.app, 2)
    #expect(told2 == nil)
    let told3 = breakers.refuse(Self.app, 3)
    #expect(told3 == [1, 2, 3])
    #expect(breakers.isStopped(Self.app) && !breakers.isStopped(Self.other) && !breakers.isStopped(nil))
    #expect(breakers.stopped == [StoppedApp(bundleID: Self.app, reason: .secretRefused)])
    // Those that were on the wire.
    let told4 = breakers.refuse(Self.app, 4)
    #expect(told4 == [4])
    #expect(!breakers.mayBegin(Self.app) && breakers.mayBegin(Self.other))
  }

  @Test func anAnswerBetweenThemMakesRefusalsTheirReceipts() {
    var breakers = AppBreakers<Int>()
    for number in 1...6 {
      let told5 = breakers.refuse(Self.app, number)
      #expect(told5 == nil)
      if number % 2 == 0 {
        let told6 = breakers.accept(Self.app)
        #expect(told6 == [number - 1, number])
      }
    }
    let told7 = breakers.settle()
    #expect(told7 == [])
    #expect(!breakers.isStopped(Self.app))
  }

  @Test func anAppWithFewReceiptsIsStoppedAtTheEnd() {
    var breakers = AppBreakers<Int>()
    _ = breakers.refuse(Self.app, 1)
    _ = breakers.accept(Self.other)
    _ = breakers.refuse(Self.other, 2)
    let told8 = breakers.settle()
    #expect(told8 == [2])
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

  @Test(arguments: [false, true]) func signaturesThatNobodyTrustsStopAnAppWhereNoneWasTrusted(
    _ isTrusted: Bool
  ) {
    var breakers = AppBreakers<Int>()
    if isTrusted { breakers.trust(Self.app) }
    breakers.trust(Self.other)
    for number in 1...3 {
      #expect(!breakers.isStopped(Self.app))
      breakers.distrust(Self.app, because: "reason \(number)")
      breakers.distrust(Self.other, because: "another")
    }
    let stopped = StoppedApp(bundleID: Self.app, reason: .untrusted, refusal: "reason 3")
    #expect(breakers.stopped == (isTrusted ? [] : [stopped]))
  }

  /// Until somebody trusted has signed something, or for good.
  @Test func oneSignatureThatNobodyTrustsIsADoubt() {
    var breakers = AppBreakers<Int>()
    #expect(!breakers.isDoubted(Self.app))
    breakers.distrust(Self.app, because: "reason")
    #expect(breakers.isDoubted(Self.app) && !breakers.isStopped(Self.app) && !breakers.isDoubted(Self.other))
    var trusted = breakers
    trusted.trust(Self.app)
    _ = trusted.settle()
    #expect(!trusted.isDoubted(Self.app) && trusted.stopped == [])
    _ = breakers.settle()
    #expect(breakers.stopped == [StoppedApp(bundleID: Self.app, reason: .untrusted, refusal: "reason")])
  }

  @Test func answersOfAnotherAppStopItToo() {
    var breakers = AppBreakers<Int>()
    for number in 1...3 { breakers.distrust(Self.app, because: "reason \(number)", as: .otherApp) }
    #expect(breakers.stopped == [StoppedApp(bundleID: Self.app, reason: .otherApp, refusal: "reason 3")])
  }

  /// An answer with nothing new is signed by nobody, and of no other app.
  @Test func whoWasAnsweredHasTheRightApp() {
    var breakers = AppBreakers<Int>()
    breakers.distrust(Self.app, because: "reason", as: .otherApp)
    breakers.noteAnswered(Self.app)
    for _ in 1...3 { breakers.distrust(Self.app, because: "reason", as: .otherApp) }
    _ = breakers.settle()
    #expect(breakers.stopped == [])
    for _ in 1...3 { breakers.distrust(Self.app, because: "another", as: .untrusted) }
    #expect(breakers.stopped.map(\.reason) == [.untrusted])
  }

  @Test func anAppWithoutASecretStaysStoppedForThatReason() {
    var breakers = AppBreakers<Int>()
    breakers.stop(nil, because: .noSecret)
    _ = breakers.refuse(nil, 1)
    #expect(breakers.stopped == [StoppedApp(bundleID: nil, reason: .noSecret)])
  }
}
