import Synchronization

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

  /// What is kept by now, in words.
  final class Kept: Sendable {
    private let words = Mutex<String?>(ImportInterruption.nothing)

    func become(_ text: String) { words.withLock { $0 = text } }

    /// Says that it is done; from then on there is nothing to add to it.
    func finish(_ sentence: String) {
      words.withLock { words in
        Standard.note(sentence)
        words = nil
      }
    }

    fileprivate func end(by number: Int32) {
      words.withLock { words in
        guard let words else { return Interruption.die(by: number) }
        ImportInterruption.end(by: number, keeping: words)
      }
    }
  }

  /// Does something that may be interrupted at any time.
  static func watching<Format, Value>(
    _ reading: ImportReading<Format>, _ body: (Kept) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let kept = Kept()
    let interruption = Interruption(hearing: { number in
      reading.meter.end()
      kept.end(by: number)
    })
    defer { interruption.end() }
    return try body(kept)
  }
}
