import FoundationEssentials
import TestSupport
import Testing

/// Steps of `subtop help team`, from an empty server to a colleague's figures.
@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct TeamTests {
  private func configuration(
    _ user: String, database: String = "postgres", schema: String
  ) throws -> String {
    let server = try PostgresServer.shared.get()
    return """
      [shared]
      server = "host=\(server.socketFolder) dbname=\(database) user=\(user)"
      schema = "\(schema)"
      """
  }

  private func psql(_ subtop: Subtop, _ command: String) async throws {
    let (server, programs) = (try PostgresServer.shared.get(), try #require(PostgresServer.programs))
    let line = "\(programs)/psql -qX -v ON_ERROR_STOP=1 -h \(server.socketFolder) -U postgres \(command)"
    try await subtop.shell(line, code: 0)
  }

  /// Runs the commands of the help as they are, except `apt` and the password prompts.
  @Test func fromAnEmptyServerToAColleague() async throws {
    let store = try await SmallStore.copy()
    let (server, programs) = (try PostgresServer.shared.get(), try #require(PostgresServer.programs))
    let help = try await store.run("help", "team", code: 0).output
    let part = try #require(
      help.components(separatedBy: "\nFigures\n").first)
    let starts = ["createuser", "createdb", "cat", "subtop", "psql"]
    let commands = part.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { line in
      starts.contains { line.hasPrefix("\($0) ") }
    }
    #expect(commands.count == 8, "\(commands)")
    let line = { (command: Substring) in
      let own = command.replacing(" --pwprompt", with: "").replacing("~/.config", with: "config")
        .replacing(#/^subtop /#, with: "\"$0\" ").replacing(
          "--shared", with: "report active --shared --format json")
      return
        "cd '\(store.home.path)' && export PATH='\(programs)':$PATH PGHOST='\(server.socketFolder)' PGUSER=postgres && \(own)"
    }
    try store.configure("")
    _ = try store.file("pg.toml", try configuration("subtop", database: "subtop", schema: "subtop"))
    for command in commands.dropLast() { try await store.shell(line(command), code: 0) }
    try await store.shell(line("psql subtop <grants.sql"), code: 0)
    #expect(try await store.run("publish", "--check", code: 0).output.contains("agree with the store"))

    let colleague = try Subtop()
    try colleague.configure(try configuration("anna", database: "subtop", schema: "subtop"))
    let shared = try await colleague.shell(
      line(try #require(commands.last)).replacing(store.home.path, with: colleague.home.path), code: 0)
    #expect(try shared.json["report"]?.text == "active")
    for panel in ["overview", "active", "billing-retry", "events"] {
      let report = try await colleague.run("report", panel, "--shared", "--format", "json", code: 0)
      #expect(try report.json["report"]?.text == panel)
      #expect(report.errors == "")
    }
    let head = try await colleague.run("report", "active", "--shared", code: 0).errors
    #expect(head.contains("Shared: subtop on ") && head.contains(", as of "))
    let status = try await colleague.run("status", "--shared", "--format", "json", code: 0).json
    #expect(status["parts"]?.list.first?["name"]?.text == "main")
    try await colleague.run(
      "chain", "unknown", "--shared", code: 66, says: ["may not have been published yet"])
    try await colleague.run("publish", code: 66)
    try await colleague.run("publish", "--remove", "main", code: 77, says: ["permission denied"])
    try await psql(store, "subtop -c 'CREATE SCHEMA subtop_v0_1'")
    let found = try await colleague.run("doctor", "--online", "--production-url", "http://127.0.0.1:9/")
      .output
    for words in [
      "has 1 part, all published within two hours", "this database user may only read",
      "also has subtop_v0_1, of other versions",
    ] {
      #expect(found.contains(words), "\(found)")
    }
    try await store.run("publish", "--remove", "other", code: 1, says: ["has no part other"])
    try await store.run("publish", "--remove", "main", code: 0)
    try await colleague.run("report", "active", "--shared", code: 74, says: ["nothing has been published"])
  }

  @Test func aUserWithoutGrantsIsTold() async throws {
    let store = try await SmallStore.copy()
    try store.configure(try configuration("postgres", schema: "closed"))
    try await store.run("publish", "--init", code: 0)
    try await store.run("publish", code: 0)
    try await psql(store, "-c 'CREATE ROLE stranger LOGIN'")
    let colleague = try Subtop()
    try colleague.configure(try configuration("stranger", schema: "closed"))
    try await colleague.run(
      "report", "active", "--shared", code: 77, says: ["may not read the schema closed_v"])
  }

  @Test func partsDivideTheCustomers() async throws {
    let lines = (1...60).map { "\(2_000_000_000_000_000 + $0),user\($0)" }
    var counts: [Int] = []
    for part in 1...3 {
      let subtop = try Subtop()
      let file = try subtop.file(
        "ids.csv", "original_transaction_id,app_user_id\n" + lines.joined(separator: "\n") + "\n")
      try await subtop.run(
        "import", "ids", file, "--bundle", "com.example.app", "--part", "\(part)/3", code: 0)
      let status = try await subtop.run("status", "--format", "json", code: 0).json
      counts.append(try #require(status["receipts"]?.integer))
    }
    #expect(counts.reduce(0, +) == 60 && counts.allSatisfy { $0 > 5 }, "\(counts)")
    try await Subtop().run(
      "import", "rates", "x", "--part", "1/3", code: 64, says: ["only for receipts and ids"])
    try await Subtop().run("import", "ids", "x", "--part", "4/3", code: 64, says: ["'4/3'"])
  }

  private static let failures: [(text: String, arguments: [String], code: Int32, says: String)] = [
    ("", ["report", "active", "--shared"], 78, "no team's server is configured"),
    ("", ["publish"], 78, "no team's server is configured"),
    (
      "server = \"host=/nowhere dbname=x\"", ["report", "active", "--shared"], 69,
      "cannot connect to x on /nowhere"
    ),
    ("server = \"host=/nowhere dbname=x\"", ["publish", "--status"], 69, "cannot connect to x on /nowhere"),
    ("server = \"host=db.example.com\"", ["publish", "--status"], 78, "add sslmode=verify-full"),
    (
      "server = \"host=127.0.0.1 hostaddr=192.0.2.7\"", ["report", "active", "--shared"], 78,
      "add sslmode=verify-full"
    ), ("server = \"host=/tmp service=x\"", ["chain", "1", "--shared"], 78, "add sslmode=verify-full"),
    ("server = \"password=hunter2\"", ["publish", "--status"], 78, "contains a password"),
    ("server = \"host=/nowhere\"\nschema = \"A\"", ["publish"], 78, "a name of up to 40 letters"),
    ("server = \"host=/nowhere\"\npart = \"\"", ["publish"], 78, "a name of up to 40 characters"),
    ("schema = \"a\"", ["publish"], 78, "server"),
    (
      "server = \"host=/nowhere\"\npassword_file = \"/does/not/exist\"", ["publish", "--status"], 78,
      "cannot read the password of [shared]"
    ),
    (
      "server = \"host=/nowhere\"", ["report", "active", "--shared", "--at", "2026-01-01"], 64,
      "does not keep what was known earlier"
    ),
    ("server = \"host=/nowhere\"", ["publish", "--every", "1"], 64, "needs a pause"),
    ("server = \"host=/nowhere\"", ["publish", "--all", "--check"], 64, "pass one of"),
  ]

  @Test(arguments: failures) func failuresSayWhatToDo(
    _ text: String, _ arguments: [String], _ code: Int32, _ says: String
  ) async throws {
    let subtop = try Subtop()
    try subtop.configure(text.isEmpty ? "" : "[shared]\n" + text)
    let outcome = try await subtop.run(arguments, code: code)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    #expect(!outcome.errors.contains("hunter2"))
  }

  @Test func libpqIsNeededForATeamAlone() async throws {
    var subtop = try Subtop()
    subtop.variables = ["SUBTOP_LIBPQ": "/nonexistent/libpq.so"]
    try subtop.configure("[shared]\nserver = \"host=/nowhere\"")
    let refused = try await subtop.run("publish", "--status", code: 1)
    #expect(refused.errors.contains("install the package libpq5"))
    try await subtop.run("doctor")
    try await subtop.run("help", "team", code: 0)
  }
}
