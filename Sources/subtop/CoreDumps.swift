import Glibc

/// A process that holds shared secrets leaves no picture of its memory behind when it crashes.
enum CoreDumps {
  static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // The limit does not hold for a core that is piped to a program (core(5)); what it may contain does.
    let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    _ = write(filter, "0", 1)
    close(filter)
  }
}
