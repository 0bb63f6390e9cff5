import Glibc

/// Minimum resources of the process. With less, calls fail inside libraries that do not report it.
enum ProcessLimits {
  /// File descriptors. A sweep has some forty open.
  private static let files: rlim_t = 64
  /// Bytes of address space, for libraries, thread stacks and data.
  private static let addresses: rlim_t = 1 << 29
  /// Threads. Libdispatch waits forever for a thread that it cannot create. A sweep ran with a limit of eight
  /// processes and threads, and hung with five.
  private static let threads = 12

  static func check() throws(Failure) {
    if let limit = limit(of: Int32(RLIMIT_NOFILE.rawValue)), limit < files {
      throw Failure(
        .failed,
        "the process may open no more than \(limit) files (`ulimit -n`), and needs \(files); raise that limit"
      )
    }
    for (resource, what, option) in [(RLIMIT_AS, "addresses", "-v"), (RLIMIT_DATA, "data", "-d")] {
      guard let limit = limit(of: Int32(resource.rawValue)), limit < addresses else { continue }
      throw Failure(
        .failed,
        "the process may use no more than \(limit >> 10) KiB of \(what) (`ulimit \(option)`), and needs \(addresses >> 10); "
          + "raise that limit, or limit memory by other means, such as MemoryMax= of systemd")
    }
    guard canBegin(threads) else {
      throw Failure(
        .failed,
        "the process may not begin \(threads) threads, which it needs; raise the limit of this user's processes (`ulimit -u`) or "
          + "of the container's (TasksMax= of systemd)")
    }
  }

  /// Returns whether `count` threads can be started, by starting them. Limits exist per user, container and
  /// machine, so they cannot be computed.
  private static func canBegin(_ count: Int) -> Bool {
    var gate = pthread_mutex_t()
    pthread_mutex_init(&gate, nil)
    defer { pthread_mutex_destroy(&gate) }
    return withUnsafeMutablePointer(to: &gate) { gate in
      pthread_mutex_lock(gate)
      var begun: [pthread_t] = []
      while begun.count < count {
        var thread = pthread_t()
        let wait: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { gate in
          guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
          pthread_mutex_lock(gate)
          pthread_mutex_unlock(gate)
          return nil
        }
        guard pthread_create(&thread, nil, wait, gate) == 0 else { break }
        begun.append(thread)
      }
      pthread_mutex_unlock(gate)
      for thread in begun { pthread_join(thread, nil) }
      return begun.count == count
    }
  }

  private static func limit(of resource: Int32) -> rlim_t? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return limit.rlim_cur
  }
}
