import Dashboard
import Screen
import Subscriptions
import Testing

/// What the chain view says of who signed its rows, and whose the prices are.
@Suite("Signed rows of a chain") struct SignedChainTests {
  /// - Parameters:
  ///   - signed: how many of the seven rows Apple signed, the oldest first.
  ///   - priced: how many of them have a price.
  private static func story(signed: Int, priced: Int) -> ChainReport {
    var chain = Sample.story
    for index in chain.lines[0].transactions.indices {
      let isSigned = index < signed
      chain.lines[0].transactions[index].priceSource =
        isSigned ? index < priced ? .signed : nil : .catalogue
      guard isSigned else { continue }
      chain.lines[0].transactions[index].signedAtMs = Sample.now
      chain.lines[0].transactions[index].storefront = StorefrontCode("DEU")
    }
    return chain
  }

  @Test(
    "are counted in the verdict, printed and on a screen",
    arguments: [
      (0, 0, nil), (7, 7, "7 of 7 rows by Apple; prices: 7 Apple's, 0 the catalogue's"),
      (7, 0, "7 of 7 rows by Apple; prices: 0 Apple's, 0 the catalogue's, 7 unknown"),
      (3, 2, "3 of 7 rows by Apple; prices: 2 Apple's, 4 the catalogue's, 1 unknown"),
      (1, 1, "1 of 7 rows by Apple; prices: 1 Apple's, 6 the catalogue's"),
    ] as [(Int, Int, String?)])
  func verdict(_ signed: Int, _ priced: Int, _ words: String?) {
    let story = Self.story(signed: signed, priced: priced)
    let printed = text(of: [story], at: Sample.now, width: 80)
    #expect(printed.words.contains("by Apple; prices") == (words != nil), "\(printed)")
    if let words { #expect(printed.words.contains("signed \(words)"), "\(printed)") }
    var bench = Bench.opened(80, 60)
    bench.chains = { _ in [story] }
    bench.press("f", "story", "enter")
    #expect(bench.words.contains("rows by Apple") == (words != nil), "\(bench.screen)")
  }

  @Test(
    "leave the room to whose prices they are, unless they are all of one",
    arguments: [
      (7, 120, ["How it started"]), (7, 200, ["How it started", "Proceeds"]),
      (3, 120, ["Priced by", "Store", "Signed"]),
    ])
  func columns(_ signed: Int, _ columns: Int, _ titles: [String]) {
    var bench = Bench.opened(columns, 100)
    bench.chains = { _ in [Self.story(signed: signed, priced: signed == 7 ? 7 : 2)] }
    bench.press("f", "story", "enter")
    let line = bench.screen.split(separator: "\n").first { $0.contains("Purchase") && $0.contains("Expires") }
    for title in titles { #expect(line?.contains(title) == true, "\(bench.screen)") }
    #expect(bench.screen.contains("; all: priced by Apple, store DEU") == (signed == 7), "\(bench.screen)")
  }
}
