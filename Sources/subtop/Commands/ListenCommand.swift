import ArgumentParser
import Listening
import Logging
import ReceiptStore
import Subscriptions

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Receive App Store Server Notifications, versions 1 and 2, and store them.",
    discussion: """
      Accepts POST / and POST /notifications over HTTP. Apple sends only over https, so put a TLS proxy in front: subtop help operating. \
      Answers 200 once a notification is stored durably, 400 if it is rejected, and 500 if Apple should send it again. GET /healthz says \
      whether the store can be read, and GET /metrics returns counts in the OpenMetrics format. SIGTERM and ^C stop it after everything \
      received is stored.
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
    // Created while the process has one thread, because it unsets environment variables.
    let manager = ServiceManager()
    let configuration = try options.configuration()
    let checks = try NotificationChecks(configuration)
    var settings = configuration.listen.options
    settings.port = port ?? settings.port
    settings.address = bind ?? settings.address
    // The address is checked before a store is created.
    try settings.checkAddress()
    let store = try options.openForWriting(configuration)
    let troubles = ListenerTroubles()
    let listener = NotificationListener(store, settings, troubles, admit: checks.admission)
    let bound = try listener.start()
    // The signal handler must not keep the store open.
    let interruption = Interruption { [weak store, weak listener] in
      manager.stopping()
      listener?.stop()
      store?.shortenBusyTimeout()
    }
    let url = ListenerText.url(settings, port: bound)
    try Standard.print(url)
    Logger.subtop.info("listening", metadata: ["url": "\(url)"])
    let line = ProgressLine()
    troubles.pass { sentence in
      line.clear()
      Standard.complain(sentence)
    }
    if line.isTerminal { Standard.note("listening on \(printable(url)); press ^C to stop\n") }
    let timer = Ticker { [weak listener] in
      guard line.isTerminal, let figures = listener?.figures else { return }
      line.show(ListenerText.progress(figures))
    }
    manager.ready("listening on \(url)") { [weak listener] in _ = listener?.figures }
    listener.wait()
    interruption.end()
    timer.end()
    line.clear()
    let received = ListenerText.progress(listener.figures)
    if line.isTerminal { Standard.note(received + "\n") }
    Logger.subtop.info("stopped listening", metadata: ["received": "\(received)"])
  }
}
