import Testing

@Suite("Inputs without end")
struct EndlessInputTests {

  private static func fed(_ feeder: String, _ arguments: String) -> String {
    "mkfifo \"$TMPDIR/fed\" && { \(feeder) > \"$TMPDIR/fed\" & exec \"$0\" \(arguments) < \"$TMPDIR/fed\"; }"
  }

  private static let cases: [(String, String, Int32, String)] =
    [
      (
        "a device", "exec \"$0\" import receipts /dev/zero", 65,
        "/dev/zero, line 1: it is longer than 32 MiB"
      ),
      (
        "blank lines", fed("yes ''", "import receipts -"), 65,
        "line 1: only white space follows for 4 MiB; the rest was not read"
      ),
    ]
    + [("receipts", ""), ("notifications", " --skip-invalid")].flatMap { kind, skipping in
      [
        (
          "\(kind): one line", fed("cat /dev/zero", "import \(kind) -"), 65,
          "standard input, line 1: it is longer than 32 MiB"
        ),
        (
          "\(kind): bad lines\(skipping)", fed("yes", "import \(kind)\(skipping) -"), 65,
          "standard input has more than 100,000 bad lines; reading stopped, and nothing was imported"
        ),
      ]
    }

  @Test(arguments: cases)
  func endInASentence(
    _ testDescription: String, _ command: String, _ code: Int32, _ says: String
  ) async throws {
    let subtop = try Subtop()
    try await subtop.shell(command, code: code, says: [says])
    #expect(!File.exists(subtop.store), "no store is made for it")
  }
}
