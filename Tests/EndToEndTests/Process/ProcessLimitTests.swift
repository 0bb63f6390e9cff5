import Testing

/// A process that may not have what every command needs says which limit that is, and touches nothing.
@Suite("Limits of a process")
struct ProcessLimitTests {
  @Test(arguments: ["-n 10", "-n 16", "-n 40", "-v 400000"])
  func areNamed(_ limit: String) async throws {
    let subtop = try await SmallStore.copy()
    let names = File.names(in: subtop.home.path)
    let shell = try #require(Program.installed("sh"))
    for command in ["status", "sweep --all", "backup copy.sqlite", "report active"] {
      let child = try Child(
        shell, ["-c", "ulimit \(limit); exec \"$0\" \(command)", try Program.built("subtop").path],
        environment: subtop.environment)
      #expect(try await child.ending(within: 60) == .code(1), "\(command): \(child.errors)")
      #expect(child.errors.contains("ulimit \(limit.prefix(2))") && child.output.isEmpty, "\(child.errors)")
    }
    #expect(File.names(in: subtop.home.path).filter { $0 != "state" } == names)
  }
}
