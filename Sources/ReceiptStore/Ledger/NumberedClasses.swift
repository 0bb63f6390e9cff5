struct NumberedClasses<Class: Sendable>: Sendable {
  /// `nil` for unused numbers.
  private(set) var classes: [Class?] = []
  /// Whether a number is used. Read for every sum, it avoids retaining the class.
  private var isThere: [Bool] = []

  /// Largest gap between numbers. SQLite assigns them consecutively, so a larger number means a damaged file.
  static var mostMissing: Int { 100_000 }

  mutating func put(_ kind: Class, at number: Int) {
    guard number >= 0, number - Self.mostMissing < classes.count else { return }
    while number >= classes.count {
      classes.append(nil)
      isThere.append(false)
    }
    (classes[number], isThere[number]) = (kind, true)
  }

  subscript(number: Int64) -> Class? { holds(number) ? classes[Int(number)] : nil }

  func holds(_ number: Int64) -> Bool {
    number >= 0 && number < isThere.count && isThere[Int(number)]
  }

  /// Greatest number; -1 if there is none.
  var last: Int { classes.count - 1 }
}
