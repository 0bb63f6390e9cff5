import Subscriptions
import Sweep
import Testing

@Suite struct AppBreakersTests {
  static let app = BundleID("com.example.app")
  static let other = BundleID("com.example.other")

  @Test func threeRefusalsInARowStopAnAppAndNoOther() {
    var breakers = AppBreakers<Int>()
    let returned = (1...3).map { breakers.refuse(Self.app, $0) }
    #expect(returned == [nil, nil, [1, 2, 3]])
    #expect(breakers.isStopped(Self.app) && !breakers.isStopped(Self.other) && !breakers.isStopped(nil))
    #expect(breakers.stopped == [StoppedApp(bundleID: Self.app, reason: .secretRefused)])
    let late = breakers.refuse(Self.app, 4)
    #expect(late == [4], "it was on the wire")
    #expect(!breakers.mayBegin(Self.app) && breakers.mayBegin(Self.other))
  }

  @Test func anAnswerBetweenThemMakesRefusalsTheirReceipts() {
    var breakers = AppBreakers<Int>()
    for number in [1, 3, 5] {
      let refused = [number, number + 1].map { breakers.refuse(Self.app, $0) }
      #expect(refused == [nil, nil])
      let accepted = breakers.accept(Self.app)
      #expect(accepted == [number, number + 1])
    }
    let settled = breakers.settle()
    #expect(settled == [])
    #expect(!breakers.isStopped(Self.app))
  }

  @Test func anAppWithFewReceiptsIsStoppedAtTheEnd() {
    var breakers = AppBreakers<Int>()
    _ = breakers.refuse(Self.app, 1)
    _ = breakers.accept(Self.other)
    _ = breakers.refuse(Self.other, 2)
    let settled = breakers.settle()
    #expect(settled == [2])
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
