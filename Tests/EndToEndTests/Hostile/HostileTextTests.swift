import Testing

/// All output is filtered in one place, so reports, `chain` and the dashboard are enough to test.
@Suite("Hostile text in what is printed") struct HostileTextTests {
  @Test func aReport() async throws {
    let subtop = try await HostileText.store()
    let report = ["report", "events", "--at", HostileText.at, "--window", "60d", "--format"]
    for format in ["table", "json", "csv"] {
      let outcome = try await subtop.run(report + [format])
      #expect(outcome.ending == .code(0) && outcome.output.contains("owned"), "\(outcome.errors)")
      guard format == "csv" else {
        #expect(commands(in: outcome.output) == [], "\(format)")
        continue
      }
      // RFC 4180 uses CR LF.
      #expect(controls(in: outcome.output.replacing("\r\n", with: "\n")) == [])
      try holdsNoFormula(outcome.output)
    }
    var plain = subtop
    plain.variables["LC_ALL"] = "C"
    let outcome = try await plain.run(report + ["table"])
    #expect(outcome.output.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) }, "not ASCII")
  }

  /// Ids must match those of other programs, so CSV only replaces control characters.
  @Test func idsInCSVAreExact() async throws {
    let subtop = try await HostileText.store()
    let report = ["report", "billing-retry", "--at", HostileText.at, "--format"]
    let csv = try await subtop.run(report + ["csv"])
    let table = cells(of: csv.output)
    let column = try #require(table.first?.firstIndex(of: "app_user_id"))
    let json = try await subtop.run(report + ["json"]).json
    let users = try #require(json["data"]?["rows"]?.list).compactMap { $0["app_user_id"]?.text }
    // Compared by scalars: Swift considers canonically equivalent strings equal.
    let expected = users.map { user in
      user.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    }
    #expect(expected.count == HostileText.all.count)
    #expect(table.dropFirst().map { Array($0[column].unicodeScalars) } == expected)
    let emoji = "👩\u{200D}🚀owned🏴\u{E0067}\u{E007F}"
    #expect(csv.output.utf8.contains(Array("all\(emoji)".utf8)))
  }

  @Test func aChain() async throws {
    let subtop = try await HostileText.store()
    for text in HostileText.all.prefix(3) {
      let json = try await subtop.run("chain", "--format", "json", "--at", HostileText.at, "--", "all" + text)
      #expect(json.ending == .code(0) && commands(in: json.output) == [], "\(json.errors)")
      let users = try json.json.list.flatMap { $0["app_user_ids"]?.list.compactMap(\.text) ?? [] }
      #expect(Set(users) == ["all" + text], "what is escaped is still the value")
      let table = try await subtop.run("chain", "--at", HostileText.at, "--", "all" + text)
      #expect(table.output.contains("owned") && commands(in: table.output) == [], "\(table.errors)")
    }
    let unknown = try await subtop.run("chain", "--", HostileText.all.joined())
    #expect(unknown.ending == .code(66) && commands(in: unknown.errors) == [])
    #expect(commands(in: (try? File.text(subtop.log)) ?? "") == [])
  }

  private func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
  }

  /// Spreadsheets evaluate cells that begin with these characters.
  private func holdsNoFormula(_ csv: String) throws {
    let table = cells(of: csv)
    #expect(table.count > HostileText.all.count && Set(table.map(\.count)).count == 1, "a cell that was two")
    for cell in table.joined() where Int64(cell) == nil {
      #expect(cell.unicodeScalars.first.map { !"=+-@＝＋－＠\t\r\n".unicodeScalars.contains($0) } ?? true)
    }
  }

  private func cells(of text: String) -> [[String]] {
    var (table, row, cell): ([[String]], [String], String.UnicodeScalarView) = ([], [], .init())
    var isQuoted = false
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where scalars.first == "\"": cell.append(scalars.removeFirst())
      case ("\"", _): isQuoted.toggle()
      case (",", false), ("\r", false):
        row.append(String(cell))
        cell = .init()
        guard scalar == "\r" else { break }
        _ = scalars.popFirst()
        table.append(row)
        row = []
      default: cell.append(scalar)
      }
    }
    return table
  }
}
