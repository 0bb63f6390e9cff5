import Glibc
import Testing

/// If a standard stream is closed, no other file may get its descriptor.
@Suite("Closed descriptors") struct ClosedDescriptorTests {
  @Test(arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
  func nothingElseTakesTheirPlace(_ closing: String) async throws {
    let subtop = try Subtop()
    let pipe = subtop.home / "pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let held = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(held) }
    // Half a line, since the first byte has a time limit of half a minute, but the rest has none.
    try #require(write(held, "{", 1) == 1)
    let line = "exec \"$0\" import receipts '\(pipe)' \(closing)"
    let child = try subtop.startShell(line)
    defer { kill(child.pid, SIGKILL) }
    let opened = try await soon("it reads") { () -> [String]? in
      let links = (0...9).map { target(of: child.pid, descriptor: $0) }
      return links.contains { $0?.hasSuffix("/pipe") == true } ? links.prefix(3).compactMap(\.self) : nil
    }
    #expect(opened.count == 3, "none of them is left for others")
    for (descriptor, path) in opened.enumerated() where closing.contains("\(descriptor)") {
      #expect(path == "/dev/null", "descriptor \(descriptor)")
    }
  }

  @Test func aFailedWriteIsAnError() async throws {
    let subtop = try await SmallStore.copy()
    let outcome = try await subtop.shell("exec \"$0\" report active >&-", code: 1)
    #expect(
      outcome.errors.contains("cannot write to standard output: Bad file descriptor"), "\(outcome.errors)")
  }

  @Test func aClosedInputIsNamed() async throws {
    let outcome = try await Subtop().shell("exec \"$0\" import receipts - <&-", code: 66)
    #expect(
      outcome.errors.contains("cannot read standard input: it is closed; redirect a file or a pipe to it"),
      "\(outcome.errors)")
  }

  private func target(of pid: pid_t, descriptor: Int) -> String? {
    var path = [CChar](repeating: 0, count: 4096)
    guard readlink("/proc/\(pid)/fd/\(descriptor)", &path, path.count - 1) > 0 else { return nil }
    return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
