import FakeAppStore
import Glibc
import Testing

/// Where a shared secret can be found while a sweep is in its midst.
@Suite("A secret in a running sweep", .serialized)
struct SecretExposureTests {
  @Test(.enabled(if: Subtop.canLookInside, "needs root")) func isNotInTheEnvironment() async throws {
    let slow = try await SlowSweep()
    let environment = String(decoding: try File.bytes("/proc/\(slow.child.pid)/environ"), as: UTF8.self)
    #expect(environment.contains("SUBTOP_STORE=\(slow.subtop.store)"), "it is the sweep's, and there")
    #expect(slow.subtop.environment.values.contains(SlowSweep.secret), "it was given there")
    #expect(!environment.contains(SlowSweep.secret))
  }

  /// Once in each body that is under way, and the secret itself.
  @Test(.enabled(if: Subtop.canLookInside, "needs root")) func isInMemoryForWhatIsUnderWayAlone() async throws
  {
    let slow = try await SlowSweep(receipts: 400)
    let underWay = try await slow.underWay()
    #expect(underWay > 0)
    #expect(try Self.places(of: SlowSweep.secret, in: slow.child.pid) == underWay + 1)
  }

  @Test func isNotDumped() async throws {
    let slow = try await SlowSweep(mayDump: true)
    let limits = String(decoding: try File.bytes("/proc/\(slow.child.pid)/limits"), as: UTF8.self)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    kill(slow.child.pid, SIGSEGV)
    var status: Int32 = 0
    #expect(waitpid(slow.child.pid, &status, 0) == slow.child.pid)
    #expect(status & 0x7F == SIGSEGV && status & 0x80 == 0, "no core")
  }

  /// PR_SET_DUMPABLE: what is in /proc is root's then, so that no other process of the user reads the memory.
  @Test(.enabled(if: Subtop.canBeOthers, "needs root and setpriv")) func isNotReadByTheSameUser() async throws
  {
    let slow = try await SlowSweep(user: 54_321)
    var status = stat()
    #expect(stat("/proc/\(slow.child.pid)", &status) == 0)
    #expect(stat("/proc/\(slow.child.pid)/mem", &status) == 0 && status.st_uid == 0)
  }

  private static func places(of text: String, in pid: pid_t) throws -> Int {
    let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    let maps = try File.bytes("/proc/\(pid)/maps")
    defer { close(memory) }
    let needle = Array(text.utf8)
    return String(decoding: maps, as: UTF8.self).split(separator: "\n").reduce(0) { count, line in
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard words[1].hasPrefix("rw"), bounds.count == 2 else { return count }
      return count + occurrences(of: needle, in: memory, bounds[0]..<bounds[1])
    }
  }

  private static func occurrences(of needle: [UInt8], in memory: Int32, _ bounds: Range<Int>) -> Int {
    let step = 1 << 20
    var buffer = [UInt8](repeating: 0, count: step + needle.count - 1)
    return stride(from: bounds.lowerBound, to: bounds.upperBound, by: step).reduce(0) { count, start in
      let wanted = min(buffer.count, bounds.upperBound - start)
      let read = pread(memory, &buffer, wanted, off_t(start))
      guard read >= needle.count else { return count }
      return count
        + buffer.withUnsafeBytes { places(of: needle, in: UnsafeRawBufferPointer(rebasing: $0[..<read])) }
    }
  }

  private static func places(of needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int {
    var (found, place) = (0, 0)
    while place + needle.count <= bytes.count, let start = bytes.baseAddress,
      let hit = memchr(start + place, Int32(needle[0]), bytes.count - needle.count + 1 - place)
    {
      place = UnsafeRawPointer(hit) - start
      if memcmp(hit, needle, needle.count) == 0 { found += 1 }
      place += 1
    }
    return found
  }
}
