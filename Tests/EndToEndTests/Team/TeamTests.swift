import TestSupport
import Testing

/// The way of `subtop help team`, from an empty server to a colleague's figures.
@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct TeamTests {
  private func configuration(_ user: String, schema: String = "program") throws -> String {
    let server = try PostgresServer.shared.get()
    return """
      [shared]
      server = "host=\(server.socketFolder) dbname=postgres user=\(user)"
      schema = "\(schema)"
      """
  }

  private func psql(_ subtop: Subtop, _ command: String) async throws {
    let (server, programs) = (try PostgresServer.shared.get(), try #require(PostgresServer.programs))
    let line = "\(programs)/psql -qX -v ON_ERROR_STOP=1 -h \(server.socketFolder) -U postgres \(command)"
    try await subtop.shell(line, code: 0)
  }

  @Test func fromAnEmptyServerToAColleague() async throws {
    let store = try await SmallStore.copy()
    try await psql(
      store,
      "-c 'CREATE ROLE subtop_owner LOGIN CREATEROLE; GRANT CREATE ON DATABASE postgres TO subtop_owner'")
    try store.configure(try configuration("subtop_owner"))
    let grants = try await store.run("publish", "--init", code: 0).output
    let file = try store.file("grants.sql", grants)
    for _ in 1...2 { try await psql(store, "-f \(file) postgres") }
    try await psql(store, "-c 'CREATE ROLE anna LOGIN IN ROLE program_reader'")
    try await store.run("publish", code: 0)
    #expect(try await store.run("publish", "--check", code: 0).output.contains("agree with the store"))

    let colleague = try Subtop()
    try colleague.configure(try configuration("anna"))
    for panel in ["overview", "active", "billing-retry", "events"] {
      let report = try await colleague.run("report", panel, "--shared", "--format", "json", code: 0)
      #expect(try report.json["report"]?.text == panel)
      #expect(report.errors == "")
    }
    let head = try await colleague.run("report", "active", "--shared", code: 0).errors
    #expect(head.contains("Shared: postgres on ") && head.contains(", as of "))
    let status = try await colleague.run("status", "--shared", "--format", "json", code: 0).json
    #expect(status["parts"]?.list.first?["name"]?.text == "main")
    // The colleague has no store.
    try await colleague.run("publish", code: 66)
    let found = try await colleague.run("doctor", "--online", "--production-url", "http://127.0.0.1:9/")
      .output
    #expect(found.contains("has 1 part, all published within two hours"), "\(found)")
  }

  private static let failures: [(text: String, arguments: [String], code: Int32, says: String)] = [
    ("", ["report", "active", "--shared"], 78, "there is no team's server"),
    ("", ["publish"], 78, "there is no team's server"),
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
      "has no history"
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
