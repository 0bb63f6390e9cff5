import Dashboard
import Screen
import Subscriptions
import Testing

/// What the chain view says of who signed its rows, and whose the prices are.
@Suite("Signed rows of a chain") struct SignedChainTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// How many of the seven rows Apple signed, the oldest first, and how many of them with a price.
    let signed: Int
    let priced: Int
    let words: String?
  }

  static let cases = [
    Case(testDescription: "none", signed: 0, priced: 0, words: nil),
    Case(
      testDescription: "all, with prices", signed: 7, priced: 7,
      words: "7 of 7 rows by Apple; prices: 7 Apple's, 0 the catalogue's"),
    Case(
      testDescription: "all, without prices", signed: 7, priced: 0,
      words: "7 of 7 rows by Apple; prices: 0 Apple's, 0 the catalogue's, 7 unknown"),
    Case(
      testDescription: "some", signed: 3, priced: 2,
      words: "3 of 7 rows by Apple; prices: 2 Apple's, 4 the catalogue's, 1 unknown"),
    Case(
      testDescription: "one", signed: 1, priced: 1,
      words: "1 of 7 rows by Apple; prices: 1 Apple's, 6 the catalogue's"),
  ]

  private static func story(_ one: Case) -> ChainReport {
    var chain = Sample.story
    for index in chain.lines[0].transactions.indices {
      let isSigned = index < one.signed
      chain.lines[0].transactions[index].priceSource =
        isSigned ? index < one.priced ? .signed : nil : .catalogue
      guard isSigned else { continue }
      chain.lines[0].transactions[index].signedAtMs = Sample.now
      chain.lines[0].transactions[index].storefront = StorefrontCode("DEU")
    }
    return chain
  }

  @Test("are counted in the verdict, printed and on a screen", arguments: cases)
  func verdict(_ one: Case) {
    let printed = text(of: [Self.story(one)], at: Sample.now, width: 80)
    #expect(printed.words.contains("by Apple; prices") == (one.words != nil), "\(printed)")
    if let words = one.words { #expect(printed.words.contains("signed \(words)"), "\(printed)") }
    var bench = Bench.opened(80, 60)
    bench.chains = { _ in [Self.story(one)] }
    bench.press("f", "story", "enter")
    #expect(bench.words.contains("rows by Apple") == (one.words != nil), "\(bench.screen)")
  }

  @Test(
    "leave the room to whose prices they are, unless they are all of one",
    arguments: [
      (cases[1], 120, ["How it started"]), (cases[1], 200, ["How it started", "Proceeds"]),
      (cases[3], 120, ["Priced by", "Store", "Signed"]),
    ])
  func columns(_ one: Case, _ columns: Int, _ titles: [String]) {
    var bench = Bench.opened(columns, 100)
    bench.chains = { _ in [Self.story(one)] }
    bench.press("f", "story", "enter")
    let line = bench.screen.split(separator: "\n").first { $0.contains("Purchase") && $0.contains("Expires") }
    for title in titles { #expect(line?.contains(title) == true, "\(bench.screen)") }
    let areAlike = one.priced == 7
    #expect(bench.screen.contains("; all: priced by Apple, store DEU") == areAlike, "\(bench.screen)")
  }
}
