import FakeAppStore
import Testing

@Suite("Limits of a process")
struct ProcessLimitTests {
  @Test func aSweepKeepsWithinItsFiles() async throws {
    let life = try await Killing(ObservedAppStore { $0.latency = 20 }, receipts: 300)
    let arguments = ["sweep", "--all", "--concurrency", "200"] + life.appStore.options
    let line = "ulimit -n 64; exec \"$0\" \(arguments.joined(separator: " "))"
    try await life.subtop.shell(line, code: 0)
    #expect(try life.answered() == 300)
  }
}
