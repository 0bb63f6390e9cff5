import Subscriptions
import Testing

@Suite("Hostile text in what is printed")
struct HostileTextTests {
  /// How a command prints, with how often.
  struct Printing: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let printings: [Printing] = {
    var lines: [String] = []
    for panel in Panel.allCases {
      for format in ["table", "json", "csv"] {
        lines.append("report \(panel.rawValue) --format \(format)")
        if panel != .events { lines.append("report \(panel.rawValue) --format \(format) --rows") }
      }
    }
    lines += ["status", "status --format json", "sweeps", "sweeps --format json"]
    return lines.map { Printing(arguments: $0.split(separator: " ").map(String.init)) }
  }()

  @Test(arguments: printings)
  func commandsNoTerminal(_ printing: Printing) async throws {
    let store = try await HostileStore.shared.value
    let outcome = try await store.subtop.run(printing.arguments + ["--at", HostileStore.at])
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(commands(in: withoutEnds(outcome.output, printing)) == [])
    #expect(commands(in: outcome.errors) == [])
    if printing.arguments.contains("events") { #expect(outcome.output.contains("owned")) }
  }

  @Test(
    "A terminal that may not speak UTF-8 gets ASCII",
    arguments: printings.filter { !$0.arguments.contains("csv") && !$0.arguments.contains("json") })
  func commandsNoOldTerminal(_ printing: Printing) async throws {
    var subtop = try await HostileStore.shared.value.subtop
    subtop.variables["LC_ALL"] = "C"
    let outcome = try await subtop.run(printing.arguments + ["--at", HostileStore.at])
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(outcome.output.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
  }

  @Test(arguments: HostileText.all)
  func chainsAreFoundAndDrawn(_ hostile: HostileText) async throws {
    let store = try await HostileStore.shared.value
    for format in ["table", "json"] {
      let outcome = try await store.subtop.run(
        "chain", "--format", format, "--at", HostileStore.at, "--", hostile.text)
      #expect(outcome.ending == .code(0), "\(outcome.errors)")
      #expect(commands(in: outcome.output) == [])
      #expect(outcome.output.contains("owned") || outcome.output.contains("ow"))
      if format == "json" {
        let users = try outcome.json.list.flatMap { $0["app_user_ids"]?.list.compactMap(\.text) ?? [] }
        #expect(Set(users) == [hostile.text], "what is escaped is still the value")
      }
    }
  }

  @Test("What is not found, not there or not an option is quoted harmlessly", arguments: HostileText.all)
  func complaints(_ hostile: HostileText) async throws {
    let subtop = try await SmallStore.copy()
    let name = String(hostile.text.filter { $0 != "/" }.unicodeScalars.prefix(40))
    let bad = try subtop.file(name, "{}\n")
    for arguments in [
      ["chain", "--", hostile.text + "?"], ["import", "responses", bad],
      ["import", "receipts", bad, "/nowhere/" + name],
      ["import", "catalog", bad], ["report", "active", "--window", hostile.text], ["report", hostile.text],
      ["report", "active", "--figure", hostile.text], ["--\(hostile.text)"],
      ["status", "--at", hostile.text],
      ["status", "--store", "/nowhere/" + name], ["status", "--config", bad],
    ] {
      let outcome = try await subtop.run(arguments)
      #expect(outcome.ending != .code(0), "\(arguments.first ?? "")")
      #expect(!outcome.errors.isEmpty)
      #expect(commands(in: outcome.errors) == [], "\(arguments.first ?? "")")
      #expect(commands(in: outcome.output) == [], "\(arguments.first ?? "")")
    }
  }

  /// Bundle ids are all that a sweep without an answer has to say. One after another: two at once share the receipts.
  @Test func sweepsNameAppsHarmlessly() async throws {
    let store = try await HostileStore.shared.value
    var subtop = store.subtop
    subtop.secret = nil
    for format in ["text", "json", "openmetrics"] {
      let outcome = try await subtop.run("sweep", "--format", format)
      #expect(outcome.ending != .code(0), "there is no secret for these apps")
      #expect(commands(in: outcome.output) == [], "\(format)")
      #expect(commands(in: outcome.errors) == [], "\(format)")
    }
  }

  @Test func theLogIsALineAnEvent() async throws {
    let store = try await HostileStore.shared.value
    _ = try await store.subtop.run("chain", "--", "\u{1B}]0;owned\u{7}\nowned")
    let log = (try? File.text(store.subtop.log)) ?? ""
    #expect(commands(in: log) == [])
  }

  /// RFC 4180 ends lines with CR LF.
  private func withoutEnds(_ output: String, _ printing: Printing) -> String {
    printing.arguments.contains("csv") ? output.replacing("\r\n", with: "") : output
  }
}
