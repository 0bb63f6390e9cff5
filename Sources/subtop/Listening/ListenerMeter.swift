import Listening
import Logging
import Subscriptions
import Synchronization

/// Tells how a listener gets on to whoever sits at a terminal, and what fails to everybody.
final class ListenerMeter: Sendable {
  private let line = ProgressLine()
  private let timer = Mutex<Ticker?>(nil)

  func begin(_ url: String, _ figures: @escaping @Sendable () -> ListenerFigures?) {
    guard line.isTerminal else { return }
    Standard.note("listening on \(printable(url)); ^C ends it\n")
    let timer = Ticker { [line] in
      if let figures = figures() { line.show(ListenerText.progress(figures), share: nil) }
    }
    self.timer.withLock { $0 = timer }
  }

  func complain(_ sentence: String) {
    line.clear()
    Standard.complain(sentence)
  }

  func end(_ figures: ListenerFigures) {
    timer.withLock { $0?.end() }
    line.clear()
    if line.isTerminal { Standard.note(ListenerText.progress(figures) + "\n") }
    Logger.subtop.info("stopped listening", metadata: ["received": "\(ListenerText.progress(figures))"])
  }
}
