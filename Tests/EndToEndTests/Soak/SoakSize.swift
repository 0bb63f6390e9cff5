import Glibc

/// Sizes of endurance tests, small in `make test`, which `make soak` raises.
enum SoakSize {
  static let kills = number("SUBTOP_SOAK_KILLS") ?? 4
  static let seconds = number("SUBTOP_SOAK_SECONDS") ?? 4

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
