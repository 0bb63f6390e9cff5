import Foundation
import Glibc
import Testing

struct BadConfiguration: CustomTestStringConvertible, Sendable {
  var text: String
  var key: String
  var says: String
  var testDescription: String { text.replacing("\n", with: " ") }

  private init(_ text: String, _ key: String, _ says: String) {
    (self.text, self.key, self.says) = (text + "\n", key, says)
  }

  private static func line(_ table: String, _ line: String, _ says: String) -> BadConfiguration {
    let key = line.split(separator: " ").first.map(String.init) ?? ""
    return BadConfiguration("[\(table)]\n\(line)", "\(table.filter { $0 != "\"" }).\(key)", says)
  }

  private static let span = "is not a duration like \"7d\", \"6h\""
  private static let app = "apps.\"com.example.a\""

  static let all: [BadConfiguration] = [
    BadConfiguration("[sweep", "", "is not valid TOML at line 1"),
    BadConfiguration("[sweep]\nlease = \"1m\"\nlease = \"2m\"", "", "is not valid TOML at line"),
    BadConfiguration(
      "[alerts]\nr = \"mrr > 6 EUR\"\nr = \"mrr > 7 EUR\"", "",
      "at line 3; the same key or table is defined above; remove one of the two"),
    BadConfiguration("sweep = 1", "sweep", "is not a table"),
    BadConfiguration("[sweeps]", "sweeps", "has an unknown key sweeps"),
    BadConfiguration("[sweep]\nspeed = 1", "speed", "has an unknown key speed under sweep"),
    BadConfiguration(
      "[due.important]\nall = true", "all", "has an unknown key all under due.important"),
    BadConfiguration("theme = 1", "theme", "is not a string"),
    BadConfiguration(
      "theme = \"dusk\"", "theme", "is not the name of a theme: there is no dusk, and no file"),
    BadConfiguration("shared_secret_file = [\"x\"]", "shared_secret_file", "is not a string"),
    line("sweep", "ca_file = 7", "is not a string"),
    line("sweep", "concurrency = 0", "is not a whole number from 1 to 1000"),
    line("sweep", "concurrency = 4.5", "is not a whole number from 1 to 1000"),
    line("sweep", "rate = nan", "is not a number from 0.01 to 100000"),
    line("sweep", "tries = 11", "is not a whole number from 1 to 10"),
    line("sweep", "full_answer_every = 7", span), line("sweep", "full_answer_every = \"-1d\"", span),
    line("sweep", "lease = \"0s\"", span), line("sweep", "lease = \"1.5h\"", span),
    line("sweep", "lease = \"9999999999999999d\"", span),
    line("due", "active = \"never\"", span), line("due", "jitter = 0.6", "is not a number from 0 to 0.5"),
    line("due", "around_expiry = [\"1h\", 6]", "is not a list of durations"),
    line("due.important", "users = [1]", "is not a list of strings"),
    line("listen", "dashboard = 1", "is not true or false"),
    line(app, "shared_secret_env = \"\"", "is not the name of an environment variable"),
    line(app, "small_business_program = 7", "is not a list of"),
    // `AlertConditionTests` cover conditions.
    line("alerts", "churn = \"churn_rat > 6%\"", "unknown figure \"churn_rat\""),
    line("alerts", "churn = \"mrr > 6 euro\"", "the value has no currency"),
    line("alerts", "churn = \"\"", "the condition is empty; write one such as"),
    line("alerts", "churn = 6", "is not a string in quotes, like"),
    BadConfiguration("[alerts]\n\"a b\" = \"mrr > 6 EUR\"", "alerts", "a b is not a valid alert name"),
    line("alerts", "command = []", "a program and its arguments"),
    line("alerts", "webhook = \"http://example.com/\"", "https, or http only on this machine"),
    line("alerts", "time_limit = \"2h\"", "from \"1s\" to \"1m\""),
    BadConfiguration("[keys]\nfly = [\"q\"]", "keys", "there is no command fly"),
    line("keys", "find = [\"F99\"]", "is not a list of keys"),
  ]
}

@Suite("Bad configurations of sweeps") struct BadConfigurationTests {
  @Test(arguments: BadConfiguration.all)
  func areReportedWithFileAndKey(_ bad: BadConfiguration) async throws {
    let subtop = try Subtop()
    let file = try subtop.file("config.toml", bad.text)
    let outcome = try await subtop.run("sweep", "--all", "--config", file, code: 78)
    #expect(outcome.errors.contains(bad.key) || bad.key.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.components(separatedBy: file).count == 2, "its place is said once")
    #expect(outcome.errors.components(separatedBy: bad.says).count == 2, "\(outcome.errors)")
    #expect(!File.exists(subtop.store), "nothing is made for a command that cannot run")
  }

  @Test(arguments: [
    "dashboard", "import receipts x", "sweep", "sweeps", "backfill", "fetch apple-reports", "listen",
    "report active", "chain 1",
    "status", "backup x", "restore x", "doctor", "config --effective",
  ])
  func aNamedFileMustExist(_ command: String) async throws {
    let subtop = try await SmallStore.copy()
    let file = subtop.home / "nothing.toml"
    let outcome = try await subtop.run(
      command.split(separator: " ").map(String.init) + ["--config", file], code: 66)
    let said = outcome.errors + outcome.output
    #expect(said.contains("cannot read the configuration file \(file): No such file or directory"), "\(said)")
  }

  @Test func aBackupWorksWithABadConfiguration() async throws {
    let subtop = try await SmallStore.copy()
    try subtop.configure("[sweep\n")
    #expect(try await subtop.run("status").ending == .code(78))
    let outcome = try await subtop.run("backup", subtop.home / "copy.sqlite")
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
