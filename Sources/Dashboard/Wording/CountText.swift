/// Whole numbers for people: `28,192`.
public enum CountText {
  public static func of(_ number: some BinaryInteger) -> String {
    var digits = Array(String(number.magnitude))
    var at = digits.count - 3
    while at > 0 {
      digits.insert(",", at: at)
      at -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// What was reckoned, as the nearest whole number; what is none is unknown.
  static func rounding(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return "unknown" }
    return of(Int64(number.rounded()))
  }

  /// `1 line`, `2 lines`.
  public static func of(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
    "\(of(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// Numbers under each other as wide as the widest, so that what follows them lines up.
  static func aligned(_ numbers: [Int]) -> [String] { aligned(numbers.map { of($0) }) }

  static func aligned(_ texts: [String]) -> [String] {
    let width = texts.map(\.count).max() ?? 0
    return texts.map { String(repeating: " ", count: width - $0.count) + $0 }
  }
}
