import FakeAppStore
import Glibc
import Testing

@Suite("A secret in a running sweep")
struct SecretExposureTests {
  @Test(.enabled(if: Subtop.canLookInside, "needs root")) func isNotInTheEnvironment() async throws {
    let slow = try await SlowSweep()
    let environment = String(decoding: try File.bytes("/proc/\(slow.child.pid)/environ"), as: UTF8.self)
    #expect(environment.contains("SUBTOP_STORE=\(slow.subtop.store)"), "it is the sweep's, and there")
    #expect(slow.subtop.environment.values.contains(SlowSweep.secret), "it was given there")
    #expect(!environment.contains(SlowSweep.secret))
  }

  @Test func isNotInACoreDump() async throws {
    let slow = try await SlowSweep(mayDump: true)
    let limits = String(decoding: try File.bytes("/proc/\(slow.child.pid)/limits"), as: UTF8.self)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    kill(slow.child.pid, SIGSEGV)
    try await soon("it is dead") { slow.child.hasEnded ? true : nil }
    var status: Int32 = 0
    #expect(waitpid(slow.child.pid, &status, 0) == slow.child.pid)
    #expect(status & 0x7F == SIGSEGV && status & 0x80 == 0, "no core")
  }

  /// PR_SET_DUMPABLE gives the files in /proc to root, so other processes of the user cannot read memory.
  @Test(.enabled(if: Subtop.canBeOthers, "needs root and setpriv")) func isNotReadableByTheSameUser()
    async throws
  {
    let slow = try await SlowSweep(user: 54_321)
    var status = stat()
    #expect(stat("/proc/\(slow.child.pid)", &status) == 0)
    #expect(stat("/proc/\(slow.child.pid)/mem", &status) == 0 && status.st_uid == 0)
  }
}
