import Testing

/// Imports that CONTRIBUTING.md allows each module, and that SwiftPM does not check.
private let allowed: [String: Set<String>] = [
  "Subscriptions": [],
  "Screen": [],
  "Files": ["Glibc", "Synchronization"],
  "HTTPServer": ["NIOCore", "NIOPosix", "NIOHTTP1", "Dispatch", "Synchronization"],
  "AppStore": ["Subscriptions", "CCrypto", "SwiftASN1", "FoundationEssentials", "Synchronization"],
  "Intake": ["AppStore", "Subscriptions", "CZlib", "FoundationEssentials"],
  "ReceiptStore": [
    "Subscriptions", "Files", "CSQLite", "GRDB", "GRDBSQLite", "FoundationEssentials", "Glibc", "Dispatch",
    "Synchronization",
  ],
  "Dashboard": ["Screen", "Subscriptions"],
  "Terminal": ["Screen", "CTerminal", "Glibc", "Dispatch", "Synchronization"],
  "Sweep": ["ReceiptStore", "AppStore", "Subscriptions", "CCurl", "Glibc", "Dispatch", "Synchronization"],
  "FakeAppStore": [
    "HTTPServer", "AppStore", "Subscriptions", "CZlib", "NIOCore", "NIOHTTP1",
    "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
  ],
  "Listening": [
    "HTTPServer", "ReceiptStore", "AppStore", "Subscriptions", "NIOCore", "NIOPosix", "NIOHTTP1", "Glibc",
    "Dispatch", "Synchronization",
  ],
  "Sharing": ["ReceiptStore", "Subscriptions", "CPostgres", "Glibc", "Synchronization"],
  "subtop": [
    "Subscriptions", "AppStore", "Intake", "ReceiptStore", "Sweep", "Screen", "Dashboard", "Terminal",
    "FakeAppStore", "Listening", "Sharing", "Files", "CProcess", "ArgumentParser", "TOMLKit", "Logging",
    "FoundationEssentials",
    "Glibc", "Dispatch", "Synchronization",
  ],
  "fake-app-store": [
    "FakeAppStore", "Subscriptions", "CProcess", "ArgumentParser", "FoundationEssentials", "Glibc",
    "Dispatch", "Synchronization",
  ],
]

/// C target that may include the header of each system library.
private let headers: [String: String] = [
  "curl/": "CCurl", "curses.h": "CTerminal", "ncurses": "CTerminal", "term.h": "CTerminal",
  "zlib.h": "CZlib", "openssl/": "CCrypto", "sqlite3.h": "CSQLite",
]

@Suite struct ImportTests {
  @Test func everyRoomIsInTheTable() {
    let rooms = Set(House.files(".swift").map(\.room))
    #expect(rooms.count > 5, "the sources were not found under \(House.root)")
    #expect(rooms.subtracting(allowed.keys).sorted() == [])
  }

  @Test(arguments: House.files(".swift"))
  func importsPointDownward(_ file: House.File) {
    let strangers = imports(of: file).filter { !(allowed[file.room] ?? []).contains($0) }
    #expect(strangers == [], "\(file.room) may not import these")
  }

  @Test(arguments: House.files(".swift").filter { $0.room == "Sweep" })
  func onlyTheTransfersKnowCurl(_ file: House.File) {
    #expect(!imports(of: file).contains("CCurl") || file.path.hasPrefix("Sweep/Curl/"))
  }

  @Test(arguments: House.files(".c", ".h"))
  func systemHeadersStayInTheirTarget(_ file: House.File) {
    for line in file.lines where line.hasPrefix("#include") {
      for (header, room) in headers where line.contains("<" + header) {
        #expect(file.room == room, "\(line)")
      }
    }
  }

  private func imports(of file: House.File) -> [String] {
    file.lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"),
        words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) }),
        place + 1 < words.count
      else { return nil }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let name = kinds.contains(words[place + 1]) ? words.dropFirst(place + 2).first : words[place + 1]
      return name.map { String($0.prefix { $0 != "." }) }
    }
  }

  private let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
}
