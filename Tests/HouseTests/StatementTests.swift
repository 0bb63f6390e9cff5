import Testing

/// Statements for a team's server use only what distributed and compatible servers have, too.
@Suite struct StatementTests {
  private static let refused = [
    "ON CONFLICT", "INSERT INTO", "CREATE ", "TRIGGER", "FUNCTION", "SEQUENCE", "REFERENCES", "ADVISORY",
    "MERGE ", "RETURNING", "TEMPORARY", "LISTEN ", "DO $",
  ]

  /// The schema's own file makes the tables.
  private static let files = House.files(".swift").filter {
    $0.room == "Sharing" && !$0.path.hasSuffix("/SharedSchema.swift")
  }

  @Test func theFilesAreFound() {
    #expect(Self.files.count > 4)
  }

  @Test(arguments: files) func useTheCommonSubset(_ file: House.File) {
    #expect(Self.refused.filter(file.text.contains) == [])
  }
}
