import Testing

/// Comments must avoid habits that make a reader start a sentence again.
@Suite struct ProseTests {
  private static let openers = [
    "Of", "Those", "These that", "The same", "What", "Whatever", "Who", "Whoever", "Whose", "Where",
    "Wherever",
    "In which", "By which", "For which", "From which", "With which", "As it", "Nothing", "Nobody",
    "No more than", "How many", "How much",
  ]
  private static let phrases = [
    "nil where", "tell", "tells", "told", "telling", "nobody", "somebody", "whoever",
    "whatever", "whichever", "to which", "by which", "for which", "with which", "of whom",
    "by whom", "of those", "of whose", "is to be", "are to be", "is to have", "but for", "nothing but",
    "all but", "none but", "comes to", "came to", "came of", "comes of", "became of", "becomes of", "stands",
    "stood", "lies", "where there", "where it", "where none", "where nothing", "where nobody", "besides",
    "thereby", "therein", "whereof", "as little", "likewise",
  ]

  @Test(arguments: House.files(".swift", ".c", ".h"))
  func commentsAreReadOnce(_ file: House.File) {
    for line in file.lines {
      guard let text = Self.comment(of: line) else { continue }
      for opener in Self.openers where text.hasPrefix(opener + " ") {
        Issue.record("\(file.path): a comment opens with “\(opener)” instead of a noun: \(text)")
      }
      let words = Self.spaced(text)
      for phrase in Self.phrases where words.contains(" \(phrase) ") {
        Issue.record("\(file.path): “\(phrase)” in a comment: \(text)")
      }
    }
  }

  @Test(arguments: ["/// Of what was asked for last.", "  // nil where there is none", "/// It was told so."])
  func habitsAreFound(_ line: String) throws {
    let text = try #require(Self.comment(of: line[...]))
    #expect(
      Self.openers.contains { text.hasPrefix($0 + " ") }
        || Self.phrases.contains { Self.spaced(text).contains(" \($0) ") })
  }

  private static func comment(of line: Substring) -> Substring? {
    let line = line.drop { $0 == " " }
    guard line.hasPrefix("//") else { return nil }
    return line.drop { $0 == "/" }.drop { $0 == " " || $0 == "-" }
  }

  private static func spaced(_ text: Substring) -> String {
    " " + text.lowercased().split { !$0.isLetter }.joined(separator: " ") + " "
  }
}
