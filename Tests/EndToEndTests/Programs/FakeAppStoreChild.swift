import FakeAppStore
import Glibc

/// A `fake-app-store` that serves until nobody holds it any more.
final class FakeAppStoreChild: Sendable {
  let url: String
  let child: Child

  /// - Parameters:
  ///   - options: besides the port.
  ///   - folder: where its output lies; nil for a folder of its own.
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

  /// What has `subtop` ask here.
  var options: [String] {
    ["--production-url", "\(url)/verifyReceipt", "--sandbox-url", "\(url)/sandbox/verifyReceipt"]
  }
}

/// Ends a program, and takes a folder away, once this process has gone, however it went.
final class Keeper: Sendable {
  private let shell: Child
  private let writeEnd: Int32

  init(ending child: Child, removing folder: Folder) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProgramError.file("a pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    writeEnd = ends[1]
    shell = try Child(
      Program(path: "/bin/sh"),
      ["-c", "cat; kill -9 \"$1\"; rm -rf -- \"$2\"", "sh", "\(child.pid)", folder.path],
      environment: ["PATH": "/usr/bin:/bin"], input: "/proc/self/fd/\(ends[0])", prefix: folder / "keeper.")
  }
}
