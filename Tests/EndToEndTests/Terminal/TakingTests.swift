import Subscriptions
import Testing

@Suite("Taking it elsewhere", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct TakingTests {
  @Test func intoTheClipboardAndIntoFiles() async throws {
    let visit = try await Visit(Subtop(), ["demo", "--subscribers", "300", "--seed", "1"])
    let tmux = visit.tmux
    try await tmux.takeClipboard()
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("E", showing: "events in")
    try await tmux.press("/")
    try await tmux.type("event:RENEWAL price>1")
    try await tmux.wait(for: "/event:RENEWAL price>1")
    try await tmux.press("Enter")
    let screen = try await tmux.press("y", again: "Copied ")
    let chain = screen.split(separator: "Copied ").last.map { String($0.prefix { $0.isNumber }) } ?? ""
    #expect(!chain.isEmpty)
    try await soon("the clipboard holds \(chain)") { try await tmux.clipboard() == chain ? true : nil }

    for name in ["list.csv", "list.json"] {
      let path = visit.subtop.home / name
      try await tmux.press(":")
      try await tmux.type("export \(path) --meta")
      try await tmux.press("Enter")
      let meta = visit.subtop.home / "list.meta.json"
      // The notes are written last; until they are whole they cannot be read as JSON.
      let notes = try await soon("the list is in \(name)") { try? JSON(File.bytes(meta)) }
      #expect(File.mode(path) == 0o600 && File.mode(meta) == 0o600)
      #expect(notes["filter"]?.text == "event:RENEWAL price>1")
      File.remove(meta)
    }
    let csv = try File.text(visit.subtop.home / "list.csv")
    let list = try JSON(File.bytes(visit.subtop.home / "list.json"))
    #expect(list["notes.filter"]?.text == "event:RENEWAL price>1")
    try expectSame(csv, list["rows"]?.list ?? [])

    try await tmux.press("C-s")
    try await tmux.press("C-u")
    try await tmux.type(visit.subtop.home / "list.csv")
    try await tmux.press("Enter")
    // The toast disappears after some seconds, which a slow machine may miss.
    try await soon("the messages say that the file exists") {
      try await tmux.press("M", again: "Messages")
      let isThere = try await tmux.screen().contains("the file exists already")
      try await tmux.press("Escape")
      return isThere ? true : nil
    }
    #expect(try File.text(visit.subtop.home / "list.csv") == csv)
    try await tmux.press(":")
    try await tmux.type("quit")
    try await tmux.press("Enter")
    try await visit.isOver(0)
  }

  @Test func listsOfFiguresAndReceiptsAreData() async throws {
    let visit = try await Visit(Subtop(), ["demo", "--subscribers", "300", "--seed", "1"])
    let tmux = visit.tmux
    try await tmux.wait(for: "Subscribers in")
    // The words that follow a key appear before the next key is pressed.
    let lists: [(name: String, keys: KeyValuePairs<String, String>, columns: [String])] = [
      (
        "compared", ["3": "Active", "=": "", "Enter": "Difference"],
        ["figure", "currency", "this", "that", "difference", "change", "converted"]
      ),
      ("reconciled", ["C": "Does it match Apple?"], ["figure", "part", "currency", "apple", "ours"]),
      (
        "receipts", ["W": "valid", "Enter": "Receipts with status 0"],
        ["receipt_id", "app_user_id", "original_transaction_id", "other_subscriptions", "customer_id"]
      ),
    ]
    for (name, keys, columns) in lists {
      for (key, words) in keys { try await tmux.press(key, showing: words) }
      for ending in ["csv", "json"] {
        let path = visit.subtop.home / "\(name).\(ending)"
        try await tmux.press(":")
        try await tmux.type("export \(path)")
        try await tmux.press("Enter")
        try await soon("\(path) is written") { try? File.text(path).isEmpty ? nil : true }
      }
      let lines = try File.text(visit.subtop.home / "\(name).csv").split(separator: "\r\n").map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let rows = try JSON(File.bytes(visit.subtop.home / "\(name).json"))["rows"]?.list ?? []
      let header = try #require(lines.first)
      #expect(header.starts(with: columns), "\(name)")
      #expect(lines.count == rows.count + 1 && !rows.isEmpty, "\(name)")
      for column in ["this", "that", "apple", "ours", "last_checked_at_ms"] where header.contains(column) {
        let place = try #require(header.firstIndex(of: column))
        for line in lines.dropFirst() {
          #expect(line[place].isEmpty || Double(line[place]) != nil, "\(line)")
        }
      }
      for row in rows { #expect(columns.allSatisfy { row[$0] != nil }, "\(name)") }
    }
    try await tmux.press(":")
    try await tmux.type("quit")
    try await tmux.press("Enter")
    try await visit.isOver(0)
  }

  /// The rows of both files have the same values; instants of the CSV are also in ISO 8601.
  private func expectSame(_ csv: String, _ rows: [JSON]) throws {
    let lines = csv.split(separator: "\r\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let names = try #require(lines.first)
    #expect(names.prefix(3) == ["type", "apple_type", "reason"] && names.contains("effective_at"))
    #expect(lines.count == rows.count + 1 && rows.count > 1)
    for (line, row) in zip(lines.dropFirst(), rows) {
      let fields = Dictionary(uniqueKeysWithValues: zip(names, line))
      #expect(fields["type"] == "RENEWAL" && fields["price_micros"].flatMap { Int64($0) } ?? 0 > 1_000_000)
      for (name, text) in fields {
        switch row[name] {
        case .text(let value)?: #expect(value == text, "\(name)")
        case .null?: #expect(text.isEmpty, "\(name)")
        case let value?: #expect("\(value)" == text, "\(name)")
        case nil:
          let date = Instant(parsing: text).map { "\($0.rawValue)" } ?? ""
          #expect(date == fields["\(name)_ms"], "\(name)")
        }
      }
    }
  }
}
