import Dashboard
import Testing

@Suite("Manual and completions") struct ManualTests {
  @Test func theManualHasEveryCommandKeyAndTopic() async throws {
    let outcome = try await Subtop().run("manual")
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty)
    for command in HelpTests.commands {
      #expect(outcome.output.contains("\n.Ss \(command)\n"), "\(command)")
    }
    let sections = outcome.output.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }.map {
      $0.dropFirst(4)
    }
    let topics = HelpTests.topics.map { $0.uppercased().replacing("-", with: " ") }
    #expect(sections == (["NAME", "SYNOPSIS", "DESCRIPTION"] + topics).map { Substring($0) })
    for binding in KeyMap.standard.bindings {
      let title = binding.title.split { "-`".contains($0) }.first.map(String.init) ?? ""
      #expect(outcome.output.contains(title), "\(binding.title)")
    }
    for option in [
      "\\-\\-concurrency", "\\-\\-readonly", "\\-\\-figure", "It \\&SUBTOP_SHARED_SECRET", "It \\&78\n",
    ] {
      #expect(outcome.output.contains(option), "\(option)")
    }
    // Lines that begin with a period are roff requests.
    let requests = Set(
      outcome.output.split(separator: "\n").filter { $0.hasPrefix(".") }
        .map { String($0.prefix { $0 != " " }) })
    #expect(
      requests.isSubset(of: [
        ".Dd", ".Dt", ".Os", ".Sh", ".Ss", ".Nm", ".Nd", ".Cm", ".Op", ".Ar", ".Pp", ".Bl", ".El", ".It",
        ".Bd", ".Ed",
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
    let outcome = try await Subtop().run("--generate-completion-script", shell, code: 0)
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
}
