import Screen
import Testing

/// Untrusted text in messages, CSV cells and JSON lines.
@Suite struct HarmlessTextTests {
  @Test(arguments: [
    ("plain", "Monthly 9.99", "Monthly 9.99"), ("letters of all scripts", "é 漢字 👍", "é 漢字 👍"),
    ("a colour", "\u{1B}[31mred", "\u{FFFD}[31mred"), ("a title", "\u{1B}]0;x\u{7}", "\u{FFFD}]0;x\u{FFFD}"),
    ("C1 controls", "\u{9B}31m\u{9C}", "\u{FFFD}31m\u{FFFD}"),
    ("line breaks and tabs", "a\r\nb\tc\u{85}", "a\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}"),
    ("null and delete", "\u{0}\u{7F}", "\u{FFFD}\u{FFFD}"), ("turned text", "a\u{202E}b", "a\u{FFFD}b"),
    ("isolates", "\u{2066}a\u{2069}", "\u{FFFD}a\u{FFFD}"),
    ("what is not seen", "a\u{200B}\u{FEFF}\u{AD}b", "a\u{FFFD}\u{FFFD}\u{FFFD}b"),
    ("tags", "a\u{E0001}\u{E0061}", "a\u{FFFD}\u{FFFD}"),
    ("separators", "a\u{2028}b\u{2029}", "a\u{FFFD}b\u{FFFD}"),
    ("a command behind letters", "漢\u{1B}c字", "漢\u{FFFD}c字"),
  ])
  func isMadeHarmless(_ name: String, _ text: String, _ harmless: String) {
    // Compared by scalars: Swift considers canonically equivalent strings equal, terminals do not.
    #expect(Array(text.harmless.unicodeScalars) == Array(harmless.unicodeScalars))
    #expect(!text.harmless.unicodeScalars.contains { $0.isCommanding })
  }

  @Test(arguments: [
    ("joined emoji", "family-👨\u{200D}👩\u{200D}👧", "family-👨\u{200D}👩\u{200D}👧"),
    ("a flag of tags", "🏴\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}"),
    ("what is not seen", "a\u{200B}\u{FEFF}\u{AD}\u{200F}b", "a\u{200B}\u{FEFF}\u{AD}\u{200F}b"),
    ("a colour", "\u{1B}[31mred", "\u{FFFD}[31mred"),
    ("C1 controls", "\u{9B}31m\u{9C}", "\u{FFFD}31m\u{FFFD}"),
    ("line breaks and tabs", "a\r\nb\tc\u{85}", "a\u{FFFD}\u{FFFD}b\u{FFFD}c\u{FFFD}"),
  ])
  func removesOnlyControlCharacters(_ name: String, _ text: String, _ left: String) {
    #expect(Array(text.withoutControls.unicodeScalars) == Array(left.unicodeScalars))
  }

  @Test func replacesEveryCommandCharacter() {
    let escaped = "a\u{1B}é\u{7}".replacingCommands { "<\(String($0.value, radix: 16))>" }
    #expect(escaped == "a<1b>é<7>")
  }
}
