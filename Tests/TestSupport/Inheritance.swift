import Glibc

/// Has a child close what it would inherit beyond its standard streams.
///
/// Tests of one process run at once, and NIO's sockets are not close-on-exec: a server's port would go on taking
/// connections for as long as some other test's program lives, and nobody would answer.
public func closeInherited(_ actions: inout posix_spawn_file_actions_t) {
  // Other tests may open some more files before the child begins.
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
