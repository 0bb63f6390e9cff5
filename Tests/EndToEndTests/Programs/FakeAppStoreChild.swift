import FakeAppStore
import Glibc

final class FakeAppStoreChild: Sendable {
  let url: String
  let child: Child

  /// - Parameter folder: Folder of its output; `nil` for a temporary one.
  init(_ options: [String], in folder: Folder? = nil) async throws {
    let child = try Child(
      .built("fake-app-store"), ["--port", "0"] + options, prefix: folder.map { $0 / "app-store." })
    url = try await soon("fake-app-store listens: \(child.errors)") {
      child.output.split(separator: "\n").first {
        $0.hasPrefix("listening on http") && child.output.hasSuffix("\n")
      }
      .map { String($0.dropFirst("listening on ".count)) }
    }
    self.child = child
  }

  var options: [String] {
    ["--production-url", "\(url)/verifyReceipt", "--sandbox-url", "\(url)/sandbox/verifyReceipt"]
  }
}

/// Runs a shell command after this process has ended for any reason, or with the last reference.
final class Keeper: Sendable {
  private let shell: Child
  private let writeEnd: Int32

  init(afterwards line: String, _ arguments: [String], prefix: String? = nil) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProgramError.file("a pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    writeEnd = ends[1]
    shell = try Child(
      Program(path: "/bin/sh"), ["-c", "cat; \(line)"] + arguments,
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: "/proc/self/fd/\(ends[0])",
      prefix: prefix)
  }

  deinit { close(writeEnd) }
}
