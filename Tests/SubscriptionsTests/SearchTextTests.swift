import Subscriptions
import Testing

@Suite("What is typed to find something") struct SearchTextTests {

  static let examples: [(String, String, Int?)] = [
    ("premium.yearly", "premium.yearly", 0),
    ("Premium.YEARLY", "premium.yearly", 0),
    ("premium", "Premium.Yearly", 1),
    ("year", "premium.yearly", 2),
    ("y", "premium.yearly", 2),
    ("pry", "premium.yearly", 3),
    ("u12", "user-12", 3),
    ("u12", "user-1-2", nil),
    ("yp", "premium.yearly", nil),
    ("mm", "premium", 3),
    ("mmm", "premium", nil),
    ("ÜBER", "über.monthly", 1),
    ("漢字", "a漢字", 2),
    ("a", "", nil),
    (String(repeating: "W", count: 4000), "premium", nil),
  ]

  @Test(arguments: examples) func isPartOfAName(_ typed: String, _ name: String, _ nearness: Int?) {
    #expect(SearchText(typed).nearness(to: name) == nearness)
  }

  @Test func keepsDigitsOfANumberTogether() {
    #expect(SearchText("u12b 3").pieces == ["u", "12", "b", " ", "3"])
  }
}
