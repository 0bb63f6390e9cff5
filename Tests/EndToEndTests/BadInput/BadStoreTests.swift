import Glibc
import Testing

struct BadStore: CustomTestStringConvertible, Sendable {
  var name: String
  /// Path of the store below the home folder, or absolute.
  var path = "store.sqlite"
  var bytes: String?
  var says: [String]
  /// Messages of commands that only read, if they differ.
  var saysOfReading: [String]?
  var testDescription: String { name }

  static let all = [
    BadStore(
      name: "text", bytes: "hello\n", says: ["it is not an SQLite file; move it away or pass another --store"]
    ),
    BadStore(
      name: "below a file", path: "file/store.sqlite", says: ["/file is not a folder; pass another --store"],
      saysOfReading: ["it does not exist"]),
    BadStore(
      name: "in a folder that cannot be made", path: "/proc/subtop/store.sqlite",
      says: ["/proc/subtop: ", "; pass another --store"],
      saysOfReading: ["it does not exist"]),
    BadStore(name: "a folder", path: ".", says: ["it is a directory"]),
    BadStore(name: "a device without end", path: "/dev/zero", says: ["it is a device"]),
  ]
}

@Suite("Bad stores")
struct BadStoreTests {
  @Test(arguments: BadStore.all)
  func areLeftUnchanged(_ bad: BadStore) async throws {
    var subtop = try Subtop()
    _ = try subtop.file("file", "a file")
    let path = bad.path.hasPrefix("/") ? bad.path : subtop.home / bad.path
    if let bytes = bad.bytes { try File.write(bytes, to: path) }
    subtop.variables = ["SUBTOP_STORE": path]
    let catalog = try subtop.file("catalog", CatalogText.header + CatalogText.price("a"))
    let writing = try await subtop.run("import", "catalog", catalog)
    let reading = try await subtop.run("report", "active")
    let isMissing = bad.saysOfReading == ["it does not exist"]
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

  @Test func thatOthersMayChangeAreRefused() async throws {
    let subtop = try await SmallStore.copy()
    for (mode, path) in [(0o622, subtop.store), (0o777, subtop.home.path)] as [(mode_t, String)] {
      chmod(path, mode)
      for arguments in [["report", "active"], ["sweep"]] {
        try await subtop.run(arguments, code: 77, says: ["run `chmod go-w \(path)`"])
      }
      #expect(File.mode(path) == mode, "nothing is changed that was there")
      chmod(path, 0o700)
    }
  }
}
