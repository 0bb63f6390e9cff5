import Screen
import Testing

@Suite struct DrawnTextTests {
  struct Sample: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let unicode: String
    let ascii: String
    let width: Int

    init(_ name: String, _ text: String, _ unicode: String, _ ascii: String, width: Int) {
      (testDescription, self.text, self.width) = (name, text, width)
      (self.unicode, self.ascii) = (unicode, ascii)
    }
  }

  static let samples = [
    Sample("plain", "Monthly 9.99", "Monthly 9.99", "Monthly 9.99", width: 12),
    Sample("escape sequence", "a\u{1B}[31mb", "a�[31mb", "a?[31mb", width: 7),
    Sample("title change", "\u{1B}]0;x\u{07}", "�]0;x�", "?]0;x?", width: 6),
    Sample("C1 control sequence introducer", "a\u{9B}2Jb", "a\u{FFFD}2Jb", "a?2Jb", width: 5),
    Sample("newline, tab, return", "a\nb\tc\r\nd", "a�b�c��d", "a?b?c??d", width: 8),
    Sample("delete and null", "\u{7F}\u{0}", "��", "??", width: 2),
    Sample("right-to-left override", "a\u{202E}b", "a\u{FFFD}b", "a?b", width: 3),
    Sample("isolates", "\u{2066}a\u{2069}", "\u{FFFD}a\u{FFFD}", "?a?", width: 3),
    Sample("zero-width space", "a\u{200B}b", "a\u{FFFD}b", "a?b", width: 3),
    Sample("byte order mark", "\u{FEFF}a", "\u{FFFD}a", "?a", width: 2),
    Sample("soft hyphen", "a\u{AD}b", "a\u{FFFD}b", "a?b", width: 3),
    Sample("line separator", "a\u{2028}b", "a\u{FFFD}b", "a?b", width: 3),
    Sample("private use", "\u{E0B0}", "\u{FFFD}", "?", width: 1),
    Sample("unassigned", "\u{378}", "\u{FFFD}", "?", width: 1),
    Sample("Han", "漢字", "漢字", "??", width: 4),
    Sample("half and full width", "ｱＡ", "ｱＡ", "??", width: 3),
    Sample("Hangul syllable", "한", "한", "?", width: 2),
    Sample("Hangul in parts", "\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}", "?", width: 2),
    Sample("composed and combining", "é e\u{301}", "é e\u{301}", "? ?", width: 3),
    Sample("mark without a base", "\u{301}a", "\u{FFFD}a", "?a", width: 2),
    Sample(
      "a tower of marks", "z" + String(repeating: "\u{301}", count: 40), "z\u{301}\u{301}\u{301}\u{301}", "?",
      width: 1),
    Sample("emoji of one scalar", "👍", "👍", "?", width: 2),
    Sample("skin tone", "👍🏽", "□", "?", width: 1),
    Sample("family", "👨‍👩‍👧", "□", "?", width: 1),
    Sample("flag", "🇩🇪", "□", "?", width: 1),
    Sample("heart with variation selector", "❤️", "□", "?", width: 1),
    Sample("keycap", "1️⃣", "□", "?", width: 1),
    Sample("subdivision flag", "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", "□", "?", width: 1),
    Sample("ambiguous width counts as one", "①±…", "①±…", "???", width: 3),
    Sample("Devanagari with a spacing mark", "नि", "नि", "?", width: 2),
  ]

  @Test(arguments: samples) func `is shown safely`(_ sample: Sample) {
    let unicode = picture(60, 1) { canvas, _ in canvas.put(sample.text, column: 0, row: 0) }
    // Compared by scalars: Swift considers canonically equivalent strings equal, terminals do not.
    #expect(unicode.text().map { Array($0.unicodeScalars) } == [Array(sample.unicode.unicodeScalars)])
    #expect(TextWidth.of(sample.text) == sample.width)
    let ascii = picture(60, 1, .ascii) { canvas, _ in canvas.put(sample.text, column: 0, row: 0) }
    #expect(ascii.text() == [sample.ascii])
  }

  @Test(arguments: samples, [0, 1, 2, 3]) func `is cut to its room`(_ sample: Sample, _ width: Int) {
    let canvas = picture(6, 1) { canvas, _ in
      let used = canvas.put(sample.text, column: 0, row: 0, width: width)
      #expect(used <= width)
      canvas.put("|", column: width, row: 0)
    }
    #expect(canvas[column: width, row: 0].text == "|")
    #expect(canvas.cells(inRow: 0).reduce(0) { $0 + $1.width } == 6)
  }

  @Test func `widths of single scalars`() {
    let widths: [(Unicode.Scalar, Int)] = [
      ("a", 1), ("\u{7F}", 0), ("\u{A0}", 1), ("\u{300}", 0), ("\u{1100}", 2), ("\u{115F}", 2),
      ("\u{1160}", 0),
      ("\u{2329}", 2), ("\u{232B}", 1), ("\u{303E}", 2), ("\u{303F}", 1), ("\u{A4C6}", 2), ("\u{D7A3}", 2),
      ("\u{FF60}", 2), ("\u{FF61}", 1), ("\u{1F600}", 2), ("\u{20000}", 2), ("\u{3FFFD}", 2),
      ("\u{E0001}", 0),
    ]
    for (scalar, width) in widths {
      #expect(ScalarWidth.of(scalar) == width, "U+\(String(scalar.value, radix: 16))")
    }
  }
}
