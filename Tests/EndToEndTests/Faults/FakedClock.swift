enum FakedClock {
  private static let library = PreloadedLibrary("FakedClock", for: "clocks that are set")

  static var isThere: Bool { library != nil }

  static func start(_ subtop: Subtop, _ arguments: [String], ahead days: Int) throws -> Child {
    guard let library else { throw ProgramError.missing("a C compiler") }
    let clock = ["LD_PRELOAD": library.path, "FAKED_CLOCK_AHEAD": "\(days * 86_400)"]
    return try Child(
      Program.built("subtop"), arguments, environment: subtop.environment.merging(clock) { $1 })
  }
}
