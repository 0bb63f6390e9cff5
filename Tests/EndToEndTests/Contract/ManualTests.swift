import Dashboard
import Testing

/// What `make install` puts beside the program, and the configuration that it can print.
@Suite("Manual, completions and configuration") struct ManualTests {
  private static let commands = [
    "dashboard", "demo", "import", "sweep", "sweeps", "report", "chain", "status", "config",
  ]

  @Test func theManualNamesEveryCommandAndKey() async throws {
    let outcome = try await Subtop().run("manual")
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty)
    for command in Self.commands { #expect(outcome.output.contains("\n.Ss \(command)\n"), "\(command)") }
    for binding in KeyMap.standard.bindings {
      let title = binding.title.split(separator: "-").first.map(String.init) ?? ""
      #expect(outcome.output.contains(title), "\(binding.title)")
    }
    for option in ["Fl -concurrency", "Fl -readonly", "Fl -figure", "Ev SUBTOP_SHARED_SECRET", "It 78\n"] {
      #expect(outcome.output.contains(option), "\(option)")
    }
    // A line that begins with a point is a request to roff, and these are the only ones.
    let requests = Set(
      outcome.output.split(separator: "\n").filter { $0.hasPrefix(".") }
        .map { String($0.prefix { $0 != " " }) })
    #expect(
      requests.isSubset(of: [
        ".Dd", ".Dt", ".Os", ".Sh", ".Ss", ".Nm", ".Nd", ".Cm", ".Op", ".Ar", ".Pp", ".Bl", ".El", ".It",
        ".Fl", ".Pa",
      ]), "\(requests)")
  }

  @Test(
    .enabled(
      if: Program.installed("man") != nil && Program.installed("groff") != nil,
      "man or groff is not installed"))
  func manReadsIt() async throws {
    let subtop = try Subtop()
    let page = try subtop.file("subtop.1", try await subtop.run("manual").output)
    let man = try #require(Program.installed("man"))
    let child = try Child(
      man, ["--warnings", "-l", page],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "100"])
    #expect(try await child.ending() == .code(0))
    #expect(child.errors == "")
    #expect(child.output.contains("top for subscriptions") && child.output.contains("EXIT STATUS"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreMade(_ shell: String) async throws {
    let outcome = try await Subtop().run("--generate-completion-script", shell)
    #expect(outcome.ending == .code(0))
    #expect(outcome.output.contains("concurrency") && outcome.output.contains("billing-retry"))
    guard let program = Program.installed(shell) else {
      print("SKIPPED: reading the completions for \(shell), which is not installed")
      return
    }
    let subtop = try Subtop()
    let script = try subtop.file("completions", outcome.output)
    let child = try Child(program, ["-n", script], environment: [:])
    #expect(try await child.ending() == .code(0), "\(child.errors)")
  }

  /// What is printed is what is so without it, down to the last key.
  @Test func thePrintedConfigurationIsTheDefault() async throws {
    let subtop = try Subtop()
    let printed = try await subtop.run("config", "--print").output
    let answers = try subtop.file("answer", AnswerText().text)
    _ = try await subtop.run("import", "responses", answers)
    let plain = try await subtop.run("status", "--format", "json", "--at", "2026-11-21T09:00:00Z")
    let file = try subtop.file("config.toml", printed)
    let configured = try await subtop.run(
      "status", "--format", "json", "--at", "2026-11-21T09:00:00Z", "--config", file)
    #expect(configured.ending == .code(0) && configured.errors.isEmpty)
    #expect(configured.output == plain.output)
    // The keys that are commented out are understood as well, where what they name is there.
    let secret = try subtop.file("secret", "5ecre7")
    let whole = printed.split(separator: "\n").map { line in
      let isKey = line.hasPrefix("# ") && (line.contains(" = ") || line.hasPrefix("# ["))
      let bare = String(isKey ? line.dropFirst(2) : line)
      guard isKey else { return bare }
      if bare.hasPrefix("shared_secret_file") { return "shared_secret_file = \"\(secret)\"" }
      if bare.hasPrefix("ca_file") { return "ca_file = \"\(secret)\"" }
      return bare
    }
    let full = try subtop.file("full.toml", whole.joined(separator: "\n") + "\n")
    let read = try await subtop.run("status", "--config", full)
    #expect(read.ending == .code(0), "\(read.errors)")
  }
}
