import FakeAppStore
import Glibc
import Testing

@Suite("Limits of a process")
struct ProcessLimitTests {
  @Test(arguments: ["-n 10", "-n 16", "-n 40", "-v 400000", "-d 300000"])
  func areNamed(_ limit: String) async throws {
    let subtop = try await SmallStore.copy()
    let names = File.names(in: subtop.home.path)
    for command in limit == "-n 16" ? ["status", "sweep --all", "backup copy.sqlite"] : ["status"] {
      let outcome = try await subtop.shell("ulimit \(limit); exec \"$0\" \(command)")
      #expect(outcome.ending == .code(1) && outcome.output.isEmpty, "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("ulimit \(limit.prefix(2))"), "\(outcome.errors)")
    }
    #expect(File.names(in: subtop.home.path).filter { $0 != "state" } == names)
  }

  @Test(.enabled(if: geteuid() == 0, "limits of users do not hold for root alone, who may become another"))
  func threadsAreTried() async throws {
    let subtop = try Subtop()
    let setpriv = try #require(Program.installed("setpriv"))
    let child = try Child(
      setpriv,
      [
        "--reuid", "4321", "--regid", "4321", "--clear-groups", "prlimit", "--nproc=3",
        try Program.built("subtop").path, "status",
      ], environment: subtop.environment)
    #expect(try await child.ending() == .code(1), "\(child.errors)")
    #expect(child.errors.contains("ulimit -u") && child.output.isEmpty, "\(child.errors)")
  }

  @Test func aSweepKeepsWithinItsFiles() async throws {
    let life = try await Killing(ObservedAppStore { $0.latency = 20 }, receipts: 300)
    let arguments = ["sweep", "--all", "--concurrency", "200"] + life.appStore.options
    let line = "ulimit -n 64; exec \"$0\" \(arguments.joined(separator: " "))"
    try await life.subtop.shell(line, code: 0)
    #expect(try life.answered() == 300)
  }
}
