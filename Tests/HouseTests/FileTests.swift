import Testing

@Suite struct FileTests {
  @Test(arguments: House.files(".swift", ".c", ".h"))
  func isShortEnoughToRead(_ file: House.File) {
    #expect(
      file.name.contains("+Table") || file.lines.count <= 401, "\(file.lines.count - 1) lines; 400 at most")
  }

  /// Input must never be able to crash the program.
  @Test(arguments: House.files(".swift"))
  func hasNoCrashingConstructs(_ file: House.File) {
    for word in ["try!", "as!", "fatalError("] {
      let lines = file.lines.filter { $0.contains(word) && !isComment($0) }
      #expect(lines == [], "\(word) is not for code that ships")
    }
  }

  @Test(arguments: House.files(".swift", ".c", ".h"))
  func hasNoTodoComments(_ file: House.File) {
    for word in ["TODO", "FIXME"] { #expect(file.lines.filter { $0.contains(word) } == []) }
  }

  private func isComment(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("//") }
}
