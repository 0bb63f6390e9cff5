import AppStore
import FakeAppStore
import Subscriptions
import Testing

/// Shared, read-only population with an App Store at one instant, and a store filled by two sweeps.
final class World: Sendable {
  let subscribers: Int
  let now: Instant
  let subtop: Subtop
  let appStore: FakeAppStoreChild
  let receiptsFile: String
  let catalogFile: String
  let imports: [Outcome]
  let sweeps: [Outcome]
  private let keeper: Keeper

  /// Fixed instant in the past, so that the population is the same in every run.
  static let now = "2025-06-01T12:00:00Z"
  static let shared = Task { try await World(subscribers: 1000, at: #require(Instant(parsing: now))) }
  static let today = Task { try await World(subscribers: 1000, at: FakeClock.realNow.wholeSecond) }

  private init(subscribers: Int, at now: Instant) async throws {
    self.subscribers = subscribers
    self.now = now
    subtop = try Subtop()
    let people = ["--subscribers", "\(subscribers)", "--start", "\(now.rawValue)"]
    appStore = try await FakeAppStoreChild(people + ["--clock-speed", "0"], in: subtop.home)
    keeper = try Keeper(
      afterwards: "kill -9 \"$0\"; rm -rf -- \"$1\"", ["\(appStore.child.pid)", subtop.home.path],
      prefix: subtop.home / "keeper.")
    receiptsFile = try await Self.printed(["receipts"] + people, to: subtop.home / "receipts.jsonl")
    catalogFile = try await Self.printed(["catalog"], to: subtop.home / "catalog.csv")
    imports = [
      try await subtop.run("import", "receipts", receiptsFile),
      try await subtop.run("import", "catalog", catalogFile),
    ]
    let sweep = ["sweep", "--all", "--format", "json"] + appStore.options
    sweeps = [try await subtop.run(sweep), try await subtop.run(sweep)]
  }

  private static func printed(_ arguments: [String], to path: String) async throws -> String {
    let child = try Child(.built("fake-app-store"), arguments)
    guard try await child.ending() == .code(0) else { throw ProgramError.file(path, 0) }
    try File.write(child.output, to: path)
    return path
  }

  func receipts(_ count: Int) throws -> String {
    try File.text(receiptsFile).split(separator: "\n").prefix(count).map { $0 + "\n" }.joined()
  }

  func small(_ count: Int = 200) async throws -> Subtop {
    let small = try Subtop()
    let receipts = try small.file("receipts.jsonl", try self.receipts(count))
    for arguments in [
      ["import", "receipts", receipts], ["import", "catalog", catalogFile],
      ["sweep", "--all"] + appStore.options,
    ] {
      let outcome = try await small.run(arguments)
      try #require(outcome.ending == .code(0), "\(outcome.errors)")
    }
    return small
  }
}

extension Instant {
  /// Apple's dates have no milliseconds.
  fileprivate var wholeSecond: Instant { Instant(milliseconds: rawValue - rawValue % 1000) }
}
