/// Classes by the numbers under which the tables name them.
struct NumberedClasses<Class: Sendable>: Sendable {
  /// Nil where no class has the number.
  private(set) var classes: [Class?] = []
  /// Whether one has it: asked for every sum that is read, it takes no reference to the class.
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

  /// The greatest number; -1 where there is none.
  var last: Int { classes.count - 1 }
}
