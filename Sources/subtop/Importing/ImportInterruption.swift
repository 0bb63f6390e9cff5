/// What is said of an import that ^C, SIGTERM or SIGHUP ends.
enum ImportInterruption {
  /// Says what was kept, and ends the process by the signal.
  static func end(by number: Int32, keeping kept: String) {
    Standard.complain("the import was interrupted: \(kept)")
    Interruption.die(by: number)
  }

  static let nothing = "nothing of it was kept; run the same import again"

  /// Of what is one commit.
  static func kept(whole isKept: Bool) -> String { isKept ? "all of it was kept" : nothing }

  /// Of one commit that is under way.
  static let wholeOrNothing =
    "all of it was kept or nothing; run the same import again, which changes nothing where it was"

  /// Does something of which the same is kept whenever it is interrupted.
  static func watching<Format, Value>(
    _ reading: ImportReading<Format>, keeping kept: String = nothing, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let interruption = Interruption(hearing: { number in
      reading.meter.end()
      end(by: number, keeping: kept)
    })
    defer { interruption.end() }
    return try body()
  }
}
