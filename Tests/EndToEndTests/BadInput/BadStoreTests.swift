import Glibc
import Testing

/// A store that cannot be used, with what is said of it.
struct BadStore: CustomTestStringConvertible, Sendable {
  var name: String
  /// The store's path below the home folder, or from the root.
  var path = "store.sqlite"
  var bytes: String?
  var says: [String]
  /// Where reading says something else than writing.
  var saysOfReading: [String]?
  var testDescription: String { name }

  static let all = [
    BadStore(
      name: "text", bytes: "hello\n", says: ["it is not an SQLite file; move it away or pass another --store"]
    ),
    BadStore(
      name: "below a file", path: "file/store.sqlite", says: ["/file is not a folder; pass another --store"],
      saysOfReading: ["there is no file"]),
    BadStore(
      name: "in a folder that nobody may make", path: "/proc/subtop/store.sqlite",
      says: ["/proc/subtop: ", "; pass another --store"],
      saysOfReading: ["there is no file"]),
    BadStore(name: "a folder", path: ".", says: ["it is a directory"]),
    BadStore(name: "a device without end", path: "/dev/zero", says: ["it is a device"]),
  ]
}

@Suite("Bad stores")
struct BadStoreTests {
  @Test(arguments: BadStore.all)
  func areLeftAsTheyAre(_ bad: BadStore) async throws {
    var subtop = try Subtop()
    _ = try subtop.file("file", "a file")
    let path = bad.path.hasPrefix("/") ? bad.path : subtop.home / bad.path
    if let bytes = bad.bytes { try File.write(bytes, to: path) }
    subtop.variables = ["SUBTOP_STORE": path]
    let catalog = try subtop.file("catalog", CatalogText.header + CatalogText.price("a"))
    let writing = try await subtop.run("import", "catalog", catalog)
    let reading = try await subtop.run("report", "active")
    let isMissing = bad.saysOfReading == ["there is no file"]
    #expect(writing.ending == .code(74), "\(writing.errors)")
    #expect(reading.ending == .code(isMissing ? 66 : 74), "\(reading.errors)")
    for outcome in [writing, reading] {
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("cannot open the store \(path): "))
    }
    for words in bad.says { #expect(writing.errors.contains(words)) }
    for words in bad.saysOfReading ?? bad.says { #expect(reading.errors.contains(words)) }
    if let bytes = bad.bytes { #expect(try File.text(path) == bytes) }
  }

  @Test func aPipeKeepsNobodyWaiting() async throws {
    let subtop = try Subtop()
    mkfifo(subtop.store, 0o600)
    let outcome = try await subtop.run("report", "active")
    #expect(outcome.ending == .code(74) && outcome.errors.contains("it is a FIFO"), "\(outcome.errors)")
    #expect(File.names(in: subtop.home.path).filter { $0.hasPrefix("store") } == ["store.sqlite"])
  }

  @Test func thatOthersMayChangeAreRefused() async throws {
    let subtop = try await SmallStore.copy()
    for (mode, path) in [(0o622, subtop.store), (0o777, subtop.home.path)] as [(mode_t, String)] {
      chmod(path, mode)
      for arguments in [["report", "active"], ["sweep"]] {
        let outcome = try await subtop.run(arguments)
        #expect(outcome.ending == .code(77), "\(outcome.errors)")
        #expect(outcome.errors.contains("run `chmod go-w \(path)`"), "\(outcome.errors)")
      }
      #expect(File.mode(path) == mode, "nothing is changed that was there")
      chmod(path, 0o700)
    }
  }

  @Test func ofANewerProgramAreRefused() async throws {
    let subtop = try await SmallStore.copy()
    try StoreTables.execute("PRAGMA user_version = 99", on: subtop.store)
    let before = try StoreTables(subtop.store)
    for arguments in [["report", "active"], ["sweep", "--all"], ["status"]] {
      let outcome = try await subtop.run(arguments)
      #expect(outcome.ending == .code(74))
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("it was written by a newer subtop (schema 99); update subtop"))
    }
    let after = try StoreTables(subtop.store)
    #expect(after == before)
  }
}
