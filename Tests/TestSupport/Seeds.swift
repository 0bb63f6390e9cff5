import Glibc

/// What a test makes its worlds of. `make tsan` and `make asan` set `SUBTOP_SANITIZED`: a world takes ten to fifty times as
/// long there, and what a sanitizer is to see happens in every one of them.
public func seeds(_ count: UInt64, sanitized few: UInt64) -> Range<UInt64> {
  0..<(getenv("SUBTOP_SANITIZED") == nil ? count : few)
}
