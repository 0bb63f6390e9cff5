import Testing

/// Statements for a team's server must also work on distributed and compatible servers.
@Suite struct StatementTests {
  private static let refused = [
    "ON CONFLICT", "INSERT INTO", "CREATE ", "TRIGGER", "FUNCTION", "SEQUENCE", "REFERENCES", "ADVISORY",
    "MERGE ", "RETURNING", "TEMPORARY", "LISTEN ", "DO $",
  ]

  /// All files of Sharing except the one with the schema, which creates the tables.
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
