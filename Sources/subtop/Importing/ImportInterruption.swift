import Synchronization

/// Messages for an import that is ended by ^C, SIGTERM or SIGHUP.
enum ImportInterruption {
  static func end(by number: Int32, keeping kept: String) {
    Standard.complain("the import was interrupted: \(kept)")
    Interruption.die(by: number)
  }

  static let nothing = "nothing of it was kept; run the same import again"

  /// Message for an import that is one commit.
  static func kept(whole isKept: Bool) -> String { isKept ? "all of it was kept" : nothing }

  /// Message for an interrupted commit.
  static let wholeOrNothing =
    "all of it was kept or nothing; run the same import again, which changes nothing where it was"

  /// Description of the data stored so far.
  final class Kept: Sendable {
    private let words = Mutex<String?>(ImportInterruption.nothing)

    func become(_ text: String) { words.withLock { $0 = text } }

    /// Prints the result, after which an interruption prints nothing.
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

  /// Runs a body that may be interrupted at any time.
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
