import Foundation
import Glibc
import Testing

/// A configuration with one mistake.
struct BadConfiguration: CustomTestStringConvertible, Sendable {
  var text: String
  /// The key as it is named.
  var key: String
  /// What is said of it besides.
  var says: String
  var testDescription: String { text.replacing("\n", with: " ") }

  private static func sweep(_ line: String, _ key: String, _ says: String) -> BadConfiguration {
    BadConfiguration(text: "[sweep]\n\(line)\n", key: "sweep." + key, says: says)
  }

  private static func due(_ line: String, _ key: String, _ says: String) -> BadConfiguration {
    BadConfiguration(text: "[due]\n\(line)\n", key: "due." + key, says: says)
  }

  private static func alert(_ value: String, _ says: String) -> BadConfiguration {
    BadConfiguration(text: "[alerts]\nmine = \(value)\n", key: "alerts.mine", says: says)
  }

  private static func important(_ line: String, _ key: String, _ says: String) -> BadConfiguration {
    BadConfiguration(text: "[due.important]\n\(line)\n", key: "due.important." + key, says: says)
  }

  private static func app(_ line: String, _ key: String, _ says: String) -> BadConfiguration {
    BadConfiguration(
      text: "[apps.\"com.example.a\"]\n\(line)\n", key: "apps.com.example.a." + key, says: says)
  }

  private static let span = "is not a span of time like \"7d\", \"6h\""
  private static let unknown = "that subtop does not know"

  static let all: [BadConfiguration] = [
    BadConfiguration(
      text: "theme = \"dusk\"\n", key: "theme",
      says: "is not the name of a theme: there is no dusk, and no file"),
    BadConfiguration(text: "theme = 1\n", key: "theme", says: "is not text"),
    BadConfiguration(
      text: "private_key_file = \"~/key.p8\"\n", key: "private_key_file",
      says:
        "begins with ~, which no shell has replaced; write the folder out, and ./~ for a file that is called so"
    ),
    BadConfiguration(
      text: "[alerts]\ncommand = [\"~/bin/tell\", \"{name}\"]\n", key: "alerts.command",
      says: "begins with ~, which no shell has replaced"),
    BadConfiguration(
      text: "[commands.crm]\nrun = \"'~/bin/crm' {app_user_id}\"\n", key: "commands.crm.run",
      says: "begins with ~, which no shell has replaced"),
    sweep("ca_file = \"~/ca.pem\"", "ca_file", "begins with ~, which no shell has replaced"),
    BadConfiguration(
      text: "[listen]\ndashboard = 1\n", key: "listen.dashboard", says: "is not true or false"),
    BadConfiguration(
      text: "[alerts]\nchurn = \"churn_rat > 6%\"\n", key: "alerts.churn",
      says: "there is no figure churn_rat"),
    BadConfiguration(
      text: "[alerts]\nchurn = \"mrr > 6 euro\"\n", key: "alerts.churn", says: "the value has no currency"),
    alert("\"churn_rate 6%\"", "the comparison is missing; write one of >, <, >= and <="),
    alert("\"churn_rate >\"", "the value is missing; write a share like 6%, or 3x usual"),
    alert("\"refunds > 5%\"", "5% is no value of refunds, which is a number; write a number like 500"),
    alert("\"refunds > 3x normal\"", "what is usual is not written so; write it like 3x usual"),
    alert("\"\"", "it is empty; write a condition like"), alert("6", "is not text in quotes, like"),
    alert("[\"mrr > 6 EUR\"]", "is not text in quotes, like \"churn_rate > 6%\""),
    BadConfiguration(
      text: "[alerts]\nr = \"mrr > 6 EUR\"\nr = \"mrr > 7 EUR\"\n", key: "",
      says: "at line 3; what is set there is set further up as well; take one of the two away"),
    BadConfiguration(
      text: "[alerts]\n\"a b\" = \"mrr > 6 EUR\"\n", key: "alerts", says: "an alert cannot be called a b"),
    BadConfiguration(
      text: "[alerts]\ncommand = \"notify\"\n", key: "alerts.command", says: "is not a list of texts"),
    BadConfiguration(
      text: "[alerts]\ncommand = []\n", key: "alerts.command", says: "a program and its arguments"),
    BadConfiguration(
      text: "[alerts]\nwebhook = \"http://example.com/\"\n", key: "alerts.webhook",
      says: "https, or http on this machine"),
    BadConfiguration(
      text: "[alerts]\ntime_limit = \"2h\"\n", key: "alerts.time_limit", says: "from \"1s\" to \"1m\""),
    BadConfiguration(text: "[keys]\nfly = [\"q\"]\n", key: "keys", says: "there is no command fly"),
    BadConfiguration(text: "[keys]\nquit = []\n", key: "keys", says: "quit needs a key"),
    BadConfiguration(text: "[keys]\nfind = [\"F99\"]\n", key: "keys.find", says: "is not a list of keys"),
    BadConfiguration(text: "[keys]\nfind = \"f\"\n", key: "keys.find", says: "is not a list of texts"),
    sweep("concurrency = 0", "concurrency", "is not a whole number from 1 to 1000"),
    sweep("concurrency = 1001", "concurrency", "is not a whole number from 1 to 1000"),
    sweep("concurrency = \"4\"", "concurrency", "is not a whole number from 1 to 1000"),
    sweep("concurrency = 4.5", "concurrency", "is not a whole number from 1 to 1000"),
    sweep("rate = 0", "rate", "is not a number from 0.01 to 100000"),
    sweep("rate = -1.0", "rate", "is not a number from 0.01 to 100000"),
    sweep("rate = nan", "rate", "is not a number from 0.01 to 100000"),
    sweep("rate = inf", "rate", "is not a number from 0.01 to 100000"),
    sweep("tries = 0", "tries", "is not a whole number from 1 to 10"),
    sweep("tries = 11", "tries", "is not a whole number from 1 to 10"),
    sweep("full_answer_every = 7", "full_answer_every", span),
    sweep("full_answer_every = \"-1d\"", "full_answer_every", span),
    sweep("full_answer_every = \"7\"", "full_answer_every", span),
    sweep("lease = \"0s\"", "lease", span),
    sweep("lease = \"soon\"", "lease", span),
    sweep("lease = \"1.5h\"", "lease", span),
    sweep("lease = \"9999999999999999d\"", "lease", span),
    sweep("ca_file = 7", "ca_file", "is not text"),
    sweep("dead_after_tries = 1", "dead_after_tries", "is not a whole number from 2 to 1000"),
    sweep("dead_after = \"never\"", "dead_after", span),
    sweep("time_limit = \"0s\"", "time_limit", span),
    due("active = \"never\"", "active", span),
    due("trial = 24", "trial", span),
    due("overdue = \"-1h\"", "overdue", span),
    due("jitter = 0.6", "jitter", "is not a number from 0 to 0.5"),
    due("jitter = \"0.1\"", "jitter", "is not a number from 0 to 0.5"),
    due("around_expiry = \"1h\"", "around_expiry", "is not a list of spans of time"),
    due("around_expiry = [\"1h\", 6]", "around_expiry", "is not a list of spans of time"),
    important("products = \"x\"", "products", "is not a list of texts"),
    important("users = [1]", "users", "is not a list of texts"),
    important("users = [\"u\", \" \"]", "users", "is blank; write what is meant"),
    important("products = [\"\"]", "products", "is empty; "),
    BadConfiguration(
      text: "[apps.\" \"]\nshared_secret_env = \"A\"\n", key: "apps", says: "is blank; write a bundle id"),
    important("every = \"\"", "every", span),
    app("shared_secret_file = 7", "shared_secret_file", "is not text"),
    app("shared_secret_file = \" \"", "shared_secret_file", "is blank; "),
    app("shared_secret_env = \"\"", "shared_secret_env", "is empty; "),
    sweep("ca_file = \"\"", "ca_file", "is empty; set it, or leave the key out"),
    BadConfiguration(
      text: "root_certificate_file = \"\\t\"\n", key: "root_certificate_file", says: "is blank; "),
    BadConfiguration(text: "production_url = \"\"\n", key: "production_url", says: "is empty; "),
    app("small_business_program = 7", "small_business_program", "is not a list of"),
    BadConfiguration(text: "sweep = 1\n", key: "sweep", says: "is not a table"),
    BadConfiguration(text: "due = []\n", key: "due", says: "is not a table"),
    BadConfiguration(text: "apps = \"x\"\n", key: "apps", says: "is not a table"),
    BadConfiguration(text: "shared_secret_file = [\"x\"]\n", key: "shared_secret_file", says: "is not text"),
    BadConfiguration(text: "[sweep]\nspeed = 1\n", key: "a key speed under sweep", says: unknown),
    BadConfiguration(text: "[due]\nhourly = \"1h\"\n", key: "a key hourly under due", says: unknown),
    BadConfiguration(
      text: "[due.important]\nall = true\n", key: "a key all under due.important", says: unknown),
    BadConfiguration(text: "[sweeps]\n", key: "a key sweeps", says: unknown),
    BadConfiguration(text: "[sweep]\nlease = \"1m\"\nlease = \"2m\"\n", key: "", says: "is not TOML at line"),
    BadConfiguration(text: "[sweep\n", key: "", says: "is not TOML at line 1"),
  ]
}

@Suite("Bad configurations of sweeps")
struct BadConfigurationTests {
  @Test(arguments: BadConfiguration.all)
  func areToldByFileAndKey(_ bad: BadConfiguration) async throws {
    let subtop = try Subtop()
    let file = try subtop.file("config.toml", bad.text)
    let outcome = try await subtop.run("sweep", "--all", "--config", file)
    #expect(outcome.ending == .code(78), "\(outcome.errors)")
    #expect(
      outcome.errors.contains(file) && (bad.key.isEmpty || outcome.errors.contains(bad.key)),
      "\(outcome.errors)")
    #expect(outcome.errors.contains(bad.says), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.components(separatedBy: file).count == 2, "its place is said once")
    #expect(bad.says.isEmpty || outcome.errors.components(separatedBy: bad.says).count == 2)
    #expect(!File.exists(subtop.store), "nothing is made for a command that cannot run")
  }
  /// Whatever the command takes from it.
  @Test(arguments: [
    "dashboard", "import receipts x", "import ids x", "import responses x", "import transactions x",
    "import notifications x", "import catalog x", "import rates x", "sweep", "sweeps", "backfill", "listen",
    "report active", "chain 1", "status", "backup x", "restore x", "doctor", "config --effective",
  ])
  func aNamedOneHasToBeThere(_ command: String) async throws {
    let subtop = try await SmallStore.copy()
    let file = subtop.home / "nothing.toml"
    let outcome = try await subtop.run(command.split(separator: " ").map(String.init) + ["--config", file])
    #expect(outcome.ending == .code(66), "\(outcome.errors)")
    let said = outcome.errors + outcome.output
    #expect(said.contains("cannot read the configuration file \(file): No such file or directory"), "\(said)")
  }

  @Test func aBackupNeedsNoneThatIsRight() async throws {
    let subtop = try await SmallStore.copy()
    for folder in ["config", "config/subtop"] { mkdir(subtop.home / folder, 0o700) }
    _ = try subtop.file("config/subtop/config.toml", "[sweep\n")
    #expect(try await subtop.run("status").ending == .code(78))
    let outcome = try await subtop.run("backup", subtop.home / "copy.sqlite")
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
