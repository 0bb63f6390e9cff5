import FoundationEssentials
import Glibc

/// Closes inherited descriptors in a child, except its standard streams.
///
/// Tests share one process, and NIO's sockets are not close-on-exec. A child that inherits a server's socket
/// keeps the port open after the server has closed it, so connections are accepted but never answered.
public func closeInherited(_ actions: inout posix_spawn_file_actions_t) {
  // Other tests may open more files before the child starts.
  for descriptor in 3...highestOpenDescriptor() + 256 {
    posix_spawn_file_actions_addclose(&actions, descriptor)
  }
}

private func highestOpenDescriptor() -> Int32 {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return names.compactMap { Int32($0) }.reduce(1023, max)
}
