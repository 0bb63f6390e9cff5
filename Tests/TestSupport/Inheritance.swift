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
  var highest: Int32 = 1_023
  guard let folder = opendir("/proc/self/fd") else { return highest }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    highest = max(highest, Int32(name) ?? 0)
  }
  return highest
}
