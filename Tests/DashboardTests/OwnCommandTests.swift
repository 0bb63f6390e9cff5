import Dashboard
import Screen
import Subscriptions
import Testing

/// User-defined commands are split and filled in once, without a shell.
@Suite("A command of one's own") struct OwnCommandTests {
  @Test(
    "becomes its words",
    arguments: [
      ("ticket", [:], ["ticket"]), ("  a\tb  c ", [:], ["a", "b", "c"]),
      ("a 'b c' \"d 'e\"", [:], ["a", "b c", "d 'e"]), ("a '' b", [:], ["a", "", "b"]),
      ("t {app_user_id}", [.appUserID: "user-4821"], ["t", "user-4821"]),
      ("t --user={app_user_id}/x", [.appUserID: "a b"], ["t", "--user=a b/x"]),
      ("t {app_user_id}", [.appUserID: "; rm -rf ~ $(x) `y` '\""], ["t", "; rm -rf ~ $(x) `y` '\""]),
      ("t {app_user_id}", [.appUserID: "{receipt_id}", .receiptID: "7"], ["t", "{receipt_id}"]),
      ("{product_id} {receipt_id}", [.productID: "p", .receiptID: "7"], ["p", "7"]),
      ("t {", [:], ["t", "{"]),
    ] as [(String, [OwnCommand.Placeholder: String], [String])])
  func words(_ line: String, _ values: [OwnCommand.Placeholder: String], _ words: [String]) throws {
    let command = try OwnCommand(name: "t", key: nil, line: line)
    #expect(try command.arguments(values) == words)
  }

  @Test(
    "is refused where it could not be what is meant",
    arguments: [
      ("", "its command line is empty"), ("   ", "its command line is empty"), ("t 'a", "not closed"),
      ("t {user}", "{user} is not a placeholder"), ("t {app_user_id} {x}y", "{x} is not a placeholder"),
    ])
  func refused(_ line: String, _ problem: String) {
    let error = #expect(throws: CommandError.self) { try OwnCommand(name: "t", key: nil, line: line) }
    #expect(error?.sentence.contains(problem) == true)
  }

  @Test(
    "does not run with what would be something else",
    arguments: [
      (nil, "has no app user"), ("", "has no app user"), ("--delete", "begins with a dash"),
      ("a\u{1B}[2J", "begins with a dash"), ("a\nb", "begins with a dash"),
    ] as [(String?, String)])
  func unfit(_ value: String?, _ problem: String) throws {
    let command = try OwnCommand(name: "t", key: nil, line: "t {app_user_id}")
    let error = #expect(throws: CommandError.self) {
      try command.arguments(value.map { [.appUserID: $0] } ?? [:])
    }
    #expect(error?.sentence.contains(problem) == true)
  }

  private func bench(_ line: String, key: Key? = .character("!")) throws -> Bench {
    let command = try OwnCommand(name: "ticket", key: key, line: line)
    var bench = Bench(120, 40, keys: try KeyMap.standard.adding([command]))
    bench.send(.opened)
    return bench
  }

  @Test("runs with the ids of the row that stands out, or of the subscription that shows")
  func runs() throws {
    var bench = try bench("ticket {original_transaction_id}")
    bench.press("4", "G", "g", "!")
    #expect(bench.effects.last == .run(name: "ticket", ["ticket", "310000812340117"]))
    bench.press("enter", "!")
    #expect(bench.effects.last == .run(name: "ticket", ["ticket", "\(Sample.chain.originalTransactionId)"]))
    var users = try self.bench("ticket {app_user_id}")
    users.press("W", "G", "enter", "!")
    #expect(users.effects.last == .run(name: "ticket", ["ticket", "user-4821"]))
    users.press("G", "!")
    #expect(users.screen.contains("ticket did not run: this row has no app user."))
  }

  @Test("takes every id that the row shows, whole")
  func shownIDs() throws {
    func run(_ placeholder: String, _ keys: String...) throws -> String? {
      var bench = try bench("t {\(placeholder)}")
      for key in keys { bench.press(key) }
      bench.press("!")
      guard case .run(_, let words)? = bench.effects.last else { return nil }
      return words.last
    }
    for panel in ["4", "E"] {
      #expect(try run("product_id", panel, "G", "g")?.hasPrefix("com.example.pro.") == true, "\(panel)")
    }
    #expect(try run("product_id", "4", "G", "g", "enter") == Sample.chain.lines[0].productId.rawValue)
    #expect(try run("receipt_id", "4", "G", "g", "enter") == "\(Sample.chain.receipts[0].id)")
  }

  @Test("shows its outcome, and all output among the messages")
  func output() throws {
    var bench = try bench("ticket")
    bench.send(.ran(name: "ticket", lines: ["first", "SUB-4711 \u{1B}[31mopened"], failure: nil))
    #expect(bench.screen.contains("ticket: SUB-4711 \u{FFFD}[31mopened"))
    bench.send(.ran(name: "ticket", lines: ["no route"], failure: "ended with 1"))
    #expect(bench.screen.contains("ticket ended with 1: no route"))
    bench.send(.ran(name: "ticket", lines: [], failure: nil))
    #expect(bench.screen.contains("ticket finished"))
    bench.press("M")
    #expect(bench.state.tableExport?.rows.contains { $0.last == "ticket: first" } == true)
  }

  @Test("has a key, which it takes from who had it, a name in the palette, and a row in help")
  func key() throws {
    var bench = try bench("ticket", key: .character("t"))
    bench.press("t")
    #expect(bench.effects.last == .run(name: "ticket", ["ticket"]))
    bench.press(":", "ticket", "enter")
    #expect(bench.effects.last == .run(name: "ticket", ["ticket"]))
    bench.press("?", "/", "command:ticket", "enter")
    #expect(bench.screen.contains("runs ticket"))
    #expect(throws: CommandError.self) {
      try KeyMap.standard.adding([OwnCommand(name: "find", key: nil, line: "x")])
    }
    let both = try KeyMap.standard.adding(
      ["a", "b"].map { try OwnCommand(name: $0, key: .character("t"), line: "x") })
    #expect(both.bindings.filter { $0.keys.contains(.character("t")) }.map(\.name) == ["b"])
    for key in [Key.character("?"), .control("c")] {
      let map = try KeyMap.standard.adding([OwnCommand(name: "own", key: key, line: "x")])
      #expect(map.bindings.contains { $0.command == .help && !$0.keys.isEmpty })
    }
  }
}
