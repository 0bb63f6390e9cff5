import ArgumentParser
import Listening
import Logging
import ReceiptStore
import Subscriptions
import Synchronization

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Receive App Store Server Notifications, versions 1 and 2, and store them.",
    discussion: """
      Accepts POST / and POST /notifications over HTTP. Apple sends only over https, so put a TLS proxy in front: subtop help operating. \
      Answers 200 once a notification is stored durably, 400 if it is rejected, and 500 if Apple should send it again. GET /healthz says \
      whether the store can be read, GET /metrics counts notifications in OpenMetrics. SIGTERM and ^C stop it after everything received is \
      stored.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The port; 0 selects a free one. (default: 8990)", valueName: "n"),
    transform: WrittenNumber.whole(0...65_535))
  var port: Int?

  @Option(help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)"))
  var bind: String?

  @OptionGroup var options: StoreOptions

  func run() throws {
    // Created while there is one thread, since it unsets environment variables.
    let manager = ServiceManager()
    let configuration = try options.configuration()
    let checks = try NotificationChecks(configuration)
    var settings = configuration.listen.options
    settings.port = port ?? settings.port
    settings.address = bind ?? settings.address
    // Checked before a store is created.
    try withListenerFailures { () throws(ListenerProblem) in try settings.checkAddress() }
    let store = try options.openForWriting(configuration)
    let troubles = ListenerTroubles()
    let listener = NotificationListener(store, settings, troubles, admit: checks.admission)
    let bound = try withListenerFailures { () throws(ListenerProblem) in try listener.start() }
    // The signal handler must not keep the store open.
    let interruption = Interruption { [weak store, weak listener] in
      manager.stopping()
      listener?.stop()
      store?.shortenBusyTimeout()
    }
    let url = ListenerText.url(settings, port: bound)
    try Standard.print(url)
    Logger.subtop.info("listening", metadata: ["url": "\(url)"])
    let meter = ListenerMeter()
    troubles.tell(meter.complain)
    meter.begin(url) { [weak listener] in listener?.figures }
    manager.ready("listening on \(url)") { [weak listener] in _ = listener?.figures }
    listener.wait()
    interruption.end()
    troubles.end()
    meter.end(listener.figures)
  }

  private func withListenerFailures<Value>(
    _ body: () throws(ListenerProblem) -> Value
  ) throws(Failure) -> Value {
    do throws(ListenerProblem) {
      return try body()
    } catch {
      throw Failure(.failed, error.description)
    }
  }
}

/// Shows the listener's progress on a terminal, and prints its failures.
final class ListenerMeter: Sendable {
  private let line = ProgressLine()
  private let timer = Mutex<Ticker?>(nil)

  func begin(_ url: String, _ figures: @escaping @Sendable () -> ListenerFigures?) {
    guard line.isTerminal else { return }
    Standard.note("listening on \(printable(url)); ^C ends it\n")
    let timer = Ticker { [line] in
      if let figures = figures() { line.show(ListenerText.progress(figures)) }
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
