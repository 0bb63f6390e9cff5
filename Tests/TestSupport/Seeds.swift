import Glibc

/// Seeds of generated worlds: a tenth of `count`, but at least 10 and at most `count`.
///
/// All of them if `SUBTOP_SOAK_WORLDS` is set (`make soak`); `few` if `SUBTOP_SANITIZED` is set (`make tsan`,
/// `make asan`), which makes a world 10 to 50 times as slow.
public func seeds(_ count: UInt64, sanitized few: UInt64? = nil) -> Range<UInt64> {
  if let few, getenv("SUBTOP_SANITIZED") != nil { return 0..<few }
  return 0..<(getenv("SUBTOP_SOAK_WORLDS") == nil ? min(count, max(10, count / 10)) : count)
}
