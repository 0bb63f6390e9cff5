import Glibc

/// What a test makes its worlds of: a third of so many, but ten at the least; all of them in `make soak`, which sets `SUBTOP_SOAK_WORLDS`;
/// few in `make tsan` and `make asan`, which set `SUBTOP_SANITIZED`: a world takes ten to fifty times as long there, and what a sanitizer
/// is to see happens in every one of them.
public func seeds(_ count: UInt64, sanitized few: UInt64? = nil) -> Range<UInt64> {
  if let few, getenv("SUBTOP_SANITIZED") != nil { return 0..<few }
  return 0..<(getenv("SUBTOP_SOAK_WORLDS") == nil ? min(count, max(10, count / 3)) : count)
}
