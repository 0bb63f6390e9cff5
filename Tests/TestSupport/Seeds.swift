import Glibc

/// Seeds of the worlds that a test generates: a tenth of `count`, but at least 10 and at most `count`.
///
/// `make soak` sets `SUBTOP_SOAK_WORLDS` and takes all of them. `make tsan` and `make asan` set `SUBTOP_SANITIZED` and take `few`: a world
/// takes 10 to 50 times as long there, and every world shows what a sanitizer looks for.
public func seeds(_ count: UInt64, sanitized few: UInt64? = nil) -> Range<UInt64> {
  if let few, getenv("SUBTOP_SANITIZED") != nil { return 0..<few }
  return 0..<(getenv("SUBTOP_SOAK_WORLDS") == nil ? min(count, max(10, count / 10)) : count)
}
