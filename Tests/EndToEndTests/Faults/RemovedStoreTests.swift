import FakeAppStore
import Glibc
import Testing

/// Stores that somebody takes away while they are open.
@Suite("Stores that go")
struct RemovedStoreTests {
  enum Loss: String, CaseIterable, CustomTestStringConvertible {
    case removed, replaced
    var testDescription: String { rawValue }

    func happen(to store: String) throws {
      let other = store + ".other"
      if self == .replaced { try StoreFile(path: store).backup(to: other) }
      for suffix in ["", "-wal", "-shm"] { File.remove(store + suffix) }
      if self == .replaced, rename(other, store) != 0 { throw ProgramError.file(store, errno) }
    }
  }

  @Test(arguments: Loss.allCases)
  func whileASweepRuns(_ loss: Loss) async throws {
    let life = try await Killing(ObservedAppStore { $0.latency = 1500 }, receipts: 200)
    let sweep = try life.start("--all")
    try await soon("something is committed: \(sweep.errors)") {
      try (life.answered() > 0 || sweep.hasEnded) ? true : nil
    }
    try loss.happen(to: life.store.path)
    let left =
      File.exists(life.store.path) ? try StorePortrait(life.store.path, since: .max, tables: nil) : nil
    #expect(try await sweep.ending() == .code(74))
    #expect(sweep.errors.contains("it was \(loss) while it was open"), "\(sweep.errors)")
    switch loss {
    case .removed:
      let names = File.names(in: life.subtop.home.path).filter { $0.hasPrefix("store.sqlite") }
      #expect(names == [], "half of the data does not come back at the old place")
    case .replaced:
      let now = try StorePortrait(life.store.path, since: .max, tables: nil)
      #expect(now == left, "nothing of the sweep comes into another store")
      #expect(try life.store.complaints() == [])
    }
  }

  @Test(.enabled(if: Tmux.isThere, "tmux is not installed"), arguments: Loss.allCases)
  func whileTheDashboardShowsIt(_ loss: Loss) async throws {
    let subtop = try await SmallStore.copy()
    let visit = try await Visit(subtop, ["--at", World.now])
    let tmux = visit.tmux
    try await tmux.wait(for: "Subscribers in")
    try loss.happen(to: subtop.store)
    try await tmux.press("3")
    try await tmux.wait(for: "\(loss) while it was open")
    try await tmux.press("?")
    try await tmux.wait(for: "next panel")
    try await tmux.press("Escape")
    try await tmux.press("q")
    try await visit.isOver(0)
    if loss == .removed {
      #expect(!File.exists(subtop.store), "nothing comes back at the old place")
    }
  }
}
