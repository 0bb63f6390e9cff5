import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

/// Time of a kill, mostly by number of requests, so that it does not depend on the machine's speed.
enum Moment {
  case early(Int64)
  /// Milliseconds after a number of requests.
  case requests(Int, then: Int64)

  static func random(of requests: Int, _ random: inout Seeded) -> Moment {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: .early(Int64.random(in: 0..<150, using: &random))
    case 2..<8:
      .requests(Int.random(in: 1...requests, using: &random), then: Int64.random(in: 0..<40, using: &random))
    default: .requests(requests, then: Int64.random(in: 0..<50, using: &random))
    }
  }
}

struct Killing {
  enum Source { case verifyReceipt, serverAPI }

  let subtop: Subtop
  let appStore: ObservedAppStore
  /// Whether every answer has the whole history, so that the number of answers does not matter.
  let asksForAll: Bool
  let source: Source
  let start = Int64(time(nil)) * 1000
  let store: StoreFile

  init(
    _ appStore: ObservedAppStore, receipts: Int, asksForAll: Bool = true, at path: String? = nil,
    through source: Source = .verifyReceipt
  ) async throws {
    (self.appStore, self.asksForAll, self.source) = (appStore, asksForAll, source)
    var subtop = try Subtop()
    if let path { subtop.variables["SUBTOP_STORE"] = path }
    self.subtop = subtop
    store = StoreFile(path: path ?? subtop.store)
    let prices = try subtop.file("catalog.csv", FakeCatalog.csv)
    try #require(try await subtop.run("import", "catalog", prices).ending == .code(0))
    guard receipts > 0 else { return }
    let text =
      source == .serverAPI ? appStore.receiptsOfManyPages(receipts) : appStore.receipts(receipts)
    let file = try subtop.file("receipts.jsonl", text)
    try #require(try await subtop.run("import", "receipts", file).ending == .code(0))
  }

  func configuration() throws -> String {
    let asking = asksForAll ? "full_answer_every = \"0s\"\n" : ""
    let keys = source == .serverAPI ? try appStore.configuration(in: subtop.home) : ""
    return try subtop.file(
      "config.toml", "\(keys)[sweep]\nconcurrency = 4\ntime_limit = \"3h\"\n\(asking)")
  }

  private func arguments(_ selection: String) throws -> [String] {
    ["sweep", selection, "--format", "json", "--config", try configuration()] + appStore.options
  }

  func start(_ selection: String) throws -> Child { try subtop.start(arguments(selection)) }

  func answered() throws -> Int {
    Int(try store.number("SELECT count(*) FROM receipts WHERE last_checked_at_ms IS NOT NULL"))
  }

  func transactions() throws -> Int64 { try store.number("SELECT count(*) FROM transaction_rows") }

  func sweep(_ selection: String = "--all") async throws -> Outcome {
    try await subtop.run(arguments(selection))
  }

  /// - Returns: Whether the sweep was still running.
  func sweepKilled(_ selection: String, _ moment: Moment) async throws -> Bool {
    let before = appStore.server.traffic.requests
    let child = try start(selection)
    guard case .requests(let count, let then) = moment else { return try await killed(child, moment) }
    try await soon("\(count) requests", every: 1) {
      appStore.server.traffic.requests - before >= count || child.hasEnded ? true : nil
    }
    return try await killed(child, .early(then))
  }

  func importKilled(_ kind: String, _ file: String, after milliseconds: Int64) async throws -> Bool {
    try await killed(subtop.start(["import", kind, file]), .early(milliseconds))
  }

  func killed(_ child: Child, _ moment: Moment) async throws -> Bool {
    if case .early(let milliseconds) = moment { try await Task.sleep(for: .milliseconds(milliseconds)) }
    kill(child.pid, SIGKILL)
    let ending = try await child.ending()
    #expect([.signal(SIGKILL), .code(0)].contains(ending), "\(child.errors)")
    return ending == .signal(SIGKILL)
  }

  /// Verifies that the store is intact and equals one rebuilt from its evidence.
  func isSound(_ what: String) async throws {
    #expect(try store.complaints() == [], "\(what)")
    let rebuilt = StoreFile(path: subtop.home / "rebuilt.sqlite")
    try store.copy(to: rebuilt.path)
    try rebuilt.forgetDerived()
    // A new price causes a rebuild.
    let price = try subtop.file("price.csv", CatalogText.header + CatalogText.price("com.example.nobodys"))
    try await subtop.run("import", "catalog", price, "--store", rebuilt.path, code: 0)
    let anew = try StorePortrait(rebuilt.path, since: start, tables: StorePortrait.derived)
    let asItIs = try StorePortrait(store.path, since: start, tables: StorePortrait.derived)
    let differences = asItIs.differences(from: anew)
    #expect(differences == [], "\(what)")
  }

  /// Content that does not depend on the number of answers.
  func portrait() throws -> StorePortrait {
    // Validations contain times of the machine's clock if answers have no date.
    let left = asksForAll ? ["chains.validations"] : StorePortrait.partialAnswers
    return try StorePortrait(
      store.path, since: start,
      leavingOut: source == .serverAPI ? left.union(StorePortrait.signatures) : left)
  }

}

extension Child {
  /// Checks without reaping the process, which `ending()` does.
  var hasEnded: Bool {
    var about = siginfo_t()
    return waitid(P_PID, id_t(pid), &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_signo != 0
  }
}
