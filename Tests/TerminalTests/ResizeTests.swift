import Dispatch
import Glibc
import Screen
import Terminal
import Testing

extension TerminalTests {
  @Test func `a new size is reported once, and the frame is drawn for it`() throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    for (columns, rows) in [(132, 50), (20, 5), (1, 1), (80, 24)] as [(UInt16, UInt16)] {
      far.resize(columns: columns, rows: rows)
      kill(getpid(), SIGWINCH)
      kill(getpid(), SIGWINCH)
      let size = Size(columns: Int(columns), rows: Int(rows))
      #expect(events(terminal) == [.input(.resize(size))])
      #expect(terminal.size == size)
      var canvas = Canvas(size: size, glyphs: terminal.glyphs)
      canvas.fill(canvas.bounds, .text, with: "x")
      _ = far.output()
      terminal.show(canvas)
      #expect(far.output().contains("x"))
    }
    far.resize(columns: 0, rows: 0)
    kill(getpid(), SIGWINCH)
    #expect(events(terminal) == [.input(.resize(Size(columns: 80, rows: 24)))])
  }

  /// The signal may arrive before its handler is installed.
  @Test func `a size that changes while the terminal is opened is known`() throws {
    // This thread does not use `far` while another thread resizes it.
    nonisolated(unsafe) let far = far
    let isResized = DispatchSemaphore(value: 0)
    for attempt in 0..<60 {
      far.resize(columns: 80, rows: 24)
      DispatchQueue.global().async {
        usleep(UInt32(attempt * 50))
        far.resize(columns: 120, rows: 40)
        kill(getpid(), SIGWINCH)
        isResized.signal()
      }
      let terminal = try Terminal.open(options())
      defer { terminal.close() }
      isResized.wait()
      // Another thread may receive the signal, and later.
      let last = ContinuousClock.now.advanced(by: .seconds(120))
      while terminal.size.columns != 120, .now < last { _ = terminal.nextEvents(timeoutMilliseconds: 10) }
      #expect(terminal.size == Size(columns: 120, rows: 40), "after \(attempt * 50) \u{b5}s")
      _ = far.output()
    }
  }
}
