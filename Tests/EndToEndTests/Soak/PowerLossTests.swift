import FakeAppStore
import Glibc
import TestSupport
import Testing

/// What was said to be done is there after a power cut, and no cut leaves a malformed store.
@Suite("Power cuts", .tags(.long), .enabled(if: FileLog.library != nil, "there is no C compiler"))
struct PowerLossTests {
  private static let (first, second) = (60, 40)

  /// What a store has to hold once something was said.
  fileprivate struct Promise {
    var receipts = 0
    var answered = 0
  }

  @Test func loseNothingThatWasSaidToBeDone() async throws {
    let log = try await lived()
    var promise = Promise()
    var random = Seeded(11)
    var disk = CutDisk(folder: log.folder)
    let cuts = (0..<SoakSize.cuts).map { _ in Int.random(in: 1...log.log.records.count, using: &random) }
    // Right after what was said it counts most.
    let said = log.log.records.indices.filter {
      if case .said = log.log.records[$0].deed { true } else { false }
    }
    let places = Set(cuts + said.map { $0 + 1 })
    var (torn, count) = (0, 0)
    for (index, record) in log.log.records.enumerated() {
      disk.take(record)
      if case .said(let words) = record.deed { promise.hear(words) }
      guard places.contains(index + 1) else { continue }
      let shares = said.contains(index) ? [0, 50, 97] : [[0, 50, 97].randomElement(using: &random) ?? 0]
      for kept in shares {
        let files = disk.files(keeping: kept, &random)
        try await isWhole(
          files, promise, "cut after \(index + 1) of \(log.log.records.count), \(kept) % kept")
        (count, torn) = (count + 1, torn + (kept > 0 ? 1 : 0))
      }
    }
    #expect(promise.receipts == Self.first + Self.second && promise.answered > 0)
    print("power cuts: \(count), \(torn) of them with writes torn; nothing lost, every store whole")
  }

  /// A store's first import, a sweep, another import and another sweep.
  private func lived() async throws -> (log: FileLog, folder: String) {
    let library = try #require(FileLog.library)
    let appStore = try await ObservedAppStore()
    var subtop = try Subtop()
    let folder = subtop.home / "disk/subtop"
    for path in [subtop.home / "disk", folder] { mkdir(path, 0o700) }
    let store = folder + "/store.sqlite"
    subtop.variables = [
      "SUBTOP_STORE": store, "LD_PRELOAD": library.path, "FILE_LOG": subtop.home / "log",
      "FILE_LOG_FOLDER": folder,
    ]
    let receipts = appStore.receipts(Self.first + Self.second).split(separator: "\n")
    for part in [receipts.prefix(Self.first), receipts.dropFirst(Self.first)] {
      let file = try subtop.file("receipts.jsonl", part.joined(separator: "\n") + "\n")
      for arguments in [
        ["import", "receipts", file], ["sweep", "--all", "--format", "json"] + appStore.options,
      ] {
        let outcome = try await subtop.run(arguments)
        try #require(outcome.ending == .code(0), "\(outcome.errors)")
      }
    }
    return (try FileLog(subtop.home / "log"), folder)
  }

  private func isWhole(_ files: [String: [UInt8]], _ promise: Promise, _ what: String) async throws {
    let subtop = try Subtop()
    for (name, bytes) in files { try File.write(bytes, to: subtop.home / name) }
    let outcome = try await subtop.run("status", "--check", "--format", "json")
    if promise.receipts == 0, outcome.ending != .code(0) {
      // Nothing was promised yet, and an import begins anew.
      let file = try subtop.file("one", "{\"receipt-data\":\"MIIB\"}")
      let begun = try await subtop.run("import", "receipts", file)
      #expect(begun.ending == .code(0), "\(what): \(begun.errors)")
      let checked = try await subtop.run("status", "--check", "--format", "json")
      #expect(try checked.json["integrity"]?.text == "ok", "\(what): \(checked.errors)")
      return
    }
    try #require(outcome.ending == .code(0), "\(what): \(outcome.errors)")
    #expect(try outcome.json["integrity"]?.text == "ok", "\(what)")
    #expect(try outcome.json["receipts"]?.integer ?? 0 >= promise.receipts, "\(what)")
    let answered = try StoreFile(path: subtop.store).number(
      "SELECT count(*) FROM receipts WHERE last_checked_at_ms IS NOT NULL")
    #expect(answered >= promise.answered, "\(what)")
  }
}

extension PowerLossTests.Promise {
  mutating func hear(_ words: String) {
    if words.hasPrefix("imported ") {
      receipts += words.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
    if let json = try? JSON(Array(words.utf8)), let picked = json["validated"]?.integer {
      answered = max(answered, picked)
    }
  }
}
