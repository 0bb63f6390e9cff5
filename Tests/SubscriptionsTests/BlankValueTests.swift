import Subscriptions
import Testing

/// A text without visible characters is not an id.
@Suite struct BlankValueTests {
  @Test(arguments: [
    (" ", true), ("\t\n", true), ("\u{A0}\u{3000}", true), ("\u{200B}", true), ("\u{FEFF}\u{2060}", true),
    ("\u{AD}\u{200E}", true), ("\u{3164}", true), ("\u{1}\u{7F}", true), ("", false), ("0", false),
    (" a ", false), ("\u{200B}a", false), ("\u{E9}", false), ("\u{1F469}\u{200D}\u{1F467}", false),
  ])
  func recognisesBlankText(_ text: String, _ isBlank: Bool) {
    #expect(BlankValue.isBlank(text) == isBlank)
    let problem = BlankValue.problem(text, "the id", "pass one")
    #expect(
      problem == (text.isEmpty ? "the id is empty; pass one" : isBlank ? "the id is blank; pass one" : nil))
  }

  /// Building the name of a configuration value is expensive: it is searched for secrets.
  @Test func buildsTheNameOnlyForAProblem() {
    var named = 0
    func name() -> String {
      named += 1
      return "the id"
    }
    #expect(BlankValue.problem("0", name(), name()) == nil)
    #expect(BlankValue.problem(nil, name(), name()) == nil)
    #expect(named == 0)
  }

  @Test(arguments: [
    ("1\u{A0}", "00A0"), ("\u{200B}1", "200B"), ("1 2", "0020"), ("1\u{E0001}", "E0001"), ("1\t", "0009"),
  ])
  func namesTheInvisibleCharacter(_ id: String, _ code: String) {
    #expect(BlankValue.unseen(in: id) == "contains an invisible character, U+\(code); remove it")
  }

  @Test(arguments: ["", "1", "com.example.app", "é"])
  func acceptsVisibleCharacters(_ id: String) { #expect(BlankValue.unseen(in: id) == nil) }
}
