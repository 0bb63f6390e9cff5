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
      try await tmux.type("export \(path)")
      try await tmux.press("Enter")
      let text = try await soon("the list is in \(name)") {
        let text = File.exists(path) ? try File.text(path) : ""
        return text.contains("RENEWAL,") || text.hasSuffix("}\n") ? text : nil
      }
      #expect(
        text.contains("event:RENEWAL price>1") && text.contains("RENEWAL") && !text.contains("EXPIRATION"))
      #expect(File.mode(path) == 0o600)
    }
    let csv = try File.text(visit.subtop.home / "list.csv")
    #expect(
      csv.contains("# filter: event:RENEWAL price>1\r\n")
        && csv.contains("\r\nwhen,event,product,movement,price,"))
    let list = try JSON(try File.bytes(visit.subtop.home / "list.json"))
    #expect(list["notes.filter"]?.text == "event:RENEWAL price>1")
    #expect(list["rows"]?.list.allSatisfy { $0["event"]?.text?.hasPrefix("RENEWAL") == true } == true)

    try await tmux.press("C-s")
    try await tmux.press("C-u")
    try await tmux.type(visit.subtop.home / "list.csv")
    try await tmux.press("Enter", showing: "the file exists already")
    #expect(try File.text(visit.subtop.home / "list.csv") == csv)
    try await tmux.press(":")
    try await tmux.type("quit")
    try await tmux.press("Enter")
    try await visit.isOver(0)
  }
}
