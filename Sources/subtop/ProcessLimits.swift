import Glibc

/// What the system has to let a process have. Below that, calls fail that nothing can be done without, within libraries that do not
/// say so.
enum ProcessLimits {
  /// Descriptors: a sweep has some forty open.
  private static let files: rlim_t = 64
  /// Bytes of addresses: of libraries, of threads' stacks, and of what is read.
  private static let addresses: rlim_t = 1 << 29

  /// Refuses to begin what could only end badly.
  static func check() throws(Failure) {
    if let limit = limit(of: Int32(RLIMIT_NOFILE.rawValue)), limit < files {
      throw Failure(
        .failed,
        "the process may open no more than \(limit) files (`ulimit -n`), and needs \(files); raise that limit"
      )
    }
    if let limit = limit(of: Int32(RLIMIT_AS.rawValue)), limit < addresses {
      throw Failure(
        .failed,
        "the process may use no more than \(limit >> 10) KiB of addresses (`ulimit -v`), and needs \(addresses >> 10); raise "
          + "that limit, or limit memory by other means, such as MemoryMax= of systemd")
    }
  }

  /// Nil without one.
  private static func limit(of resource: Int32) -> rlim_t? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return limit.rlim_cur
  }
}
