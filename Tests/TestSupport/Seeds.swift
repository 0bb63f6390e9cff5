import Glibc

/// Returns the seeds of generated worlds: a tenth of `count`, but at least 10 and at most `count`.
///
/// `SUBTOP_SOAK_WORLDS` selects all seeds (`make soak`). `SUBTOP_SANITIZED` selects `few`, because sanitizers
/// (`make tsan`, `make asan`) make a world 10 to 50 times as slow.
public func seeds(_ count: UInt64, sanitized few: UInt64? = nil) -> Range<UInt64> {
  if let few, getenv("SUBTOP_SANITIZED") != nil { return 0..<few }
  return 0..<(getenv("SUBTOP_SOAK_WORLDS") == nil ? min(count, max(10, count / 10)) : count)
}
