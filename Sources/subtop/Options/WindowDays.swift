import ArgumentParser

/// Days of a window: `28d`, `28`, or `all`.
struct WindowDays {
  /// Nil is all that is known.
  let days: Int?

  /// A hundred years, which are more than the App Store has.
  static let limits = 1...36_500

  init(option text: String) throws {
    if text == "all" {
      days = nil
      return
    }
    guard let days = Int(text.hasSuffix("d") ? text.dropLast() : text[...]), Self.limits.contains(days) else {
      throw ValidationError(
        "give a number of days from \(Self.limits.lowerBound) to \(Self.limits.upperBound), as 28 or 28d, or all for everything that is known"
      )
    }
    self.days = days
  }
}
