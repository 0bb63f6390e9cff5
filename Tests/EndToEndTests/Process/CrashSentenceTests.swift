import Glibc
import Testing

/// Crash reports must not contain registers, stack or memory, which may hold secrets.
@Suite("A crash of a sweep")
struct CrashSentenceTests {
  @Test(arguments: [SIGSEGV, SIGTRAP])
  func saysOneSentence(_ signal: Int32) async throws {
    let ending = try await end(by: signal)
    #expect(ending.ending == .signal(signal))
    let said = Self.words(in: ending)
    #expect(
      said.count == 1 && said.first?.hasPrefix("subtop: ended by a fault of its own (SIG") == true, "\(said)")
  }

  @Test func aTimeLimitIsNamed() async throws {
    let ending = try await end(by: SIGXCPU)
    #expect(ending.ending == .code(1))
    let said = Self.words(in: ending)
    #expect(said.count == 1 && said.first?.contains("(ulimit -t); raise it") == true, "\(said)")
  }

  @Test func saysNothingAtQuit() async throws {
    let ending = try await end(by: SIGQUIT)
    #expect(ending.ending == .signal(SIGQUIT))
    #expect(Self.words(in: ending).isEmpty, "\(ending.errors)")
  }

  /// Removes the sweep's progress, and a message of Swift's backtracer, which these tests enable.
  private static func words(in ending: Outcome) -> [Substring] {
    ending.errors.split(separator: "\n").filter {
      !$0.hasPrefix("sweep: 0 of 200") && !$0.hasPrefix("swift runtime: unable to locate")
    }
  }

  private func end(by signal: Int32) async throws -> Outcome {
    let slow = try await SlowSweep(variables: [
      "SWIFT_BACKTRACE": "enable=yes,color=no,registers=all,limit=64"
    ])
    kill(slow.child.pid, signal)
    return try await slow.child.outcome()
  }
}
