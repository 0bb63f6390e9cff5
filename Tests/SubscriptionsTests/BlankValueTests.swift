import Subscriptions
import Testing

/// What shows nothing is no id, whichever characters it is made of.
@Suite struct BlankValueTests {
  @Test(arguments: [
    (" ", true), ("\t\n", true), ("\u{A0}\u{3000}", true), ("\u{200B}", true), ("\u{FEFF}\u{2060}", true),
    ("\u{AD}\u{200E}", true), ("\u{3164}", true), ("\u{1}\u{7F}", true), ("", false), ("0", false),
    (" a ", false), ("\u{200B}a", false), ("\u{E9}", false), ("\u{1F469}\u{200D}\u{1F467}", false),
  ])
  func isWhatNobodySees(_ text: String, _ isBlank: Bool) {
    #expect(BlankValue.isBlank(text) == isBlank)
    let problem = BlankValue.problem(text, "the id", "pass one")
    #expect(
      problem == (text.isEmpty ? "the id is empty; pass one" : isBlank ? "the id is blank; pass one" : nil))
  }
}
