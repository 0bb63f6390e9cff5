import Glibc

/// How long the tests go on that could go on for ever: shortly in `make test`, long in `make soak`, which sets these.
enum SoakSize {
  static let kills = number("SUBTOP_SOAK_KILLS") ?? 4
  static let seconds = number("SUBTOP_SOAK_SECONDS") ?? 4

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
