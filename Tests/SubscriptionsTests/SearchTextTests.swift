import Subscriptions
import Testing

@Suite("What is typed to find something") struct SearchTextTests {
  struct Example: CustomTestStringConvertible {
    var typed: String
    var name: String
    var nearness: Int?

    var testDescription: String { "\(typed.prefix(20)) in \(name)" }
  }

  static let examples = [
    Example(typed: "premium.yearly", name: "premium.yearly", nearness: 0),
    Example(typed: "Premium.YEARLY", name: "premium.yearly", nearness: 0),
    Example(typed: "premium", name: "Premium.Yearly", nearness: 1),
    Example(typed: "year", name: "premium.yearly", nearness: 2),
    Example(typed: "y", name: "premium.yearly", nearness: 2),
    Example(typed: "pry", name: "premium.yearly", nearness: 3),
    Example(typed: "u12", name: "user-12", nearness: 3),
    Example(typed: "u12", name: "user-1-2", nearness: nil),
    Example(typed: "yp", name: "premium.yearly", nearness: nil),
    Example(typed: "mm", name: "premium", nearness: 3),
    Example(typed: "mmm", name: "premium", nearness: nil),
    Example(typed: "ÜBER", name: "über.monthly", nearness: 1),
    Example(typed: "漢字", name: "a漢字", nearness: 2),
    Example(typed: "a", name: "", nearness: nil),
    Example(typed: String(repeating: "W", count: 4000), name: "premium", nearness: nil),
  ]

  @Test(arguments: examples) func isPartOfAName(_ example: Example) {
    #expect(SearchText(example.typed).nearness(to: example.name) == example.nearness)
  }

  @Test func digitsOfANumberStandTogether() {
    #expect(SearchText("u12b 3").pieces == ["u", "12", "b", " ", "3"])
  }
}
