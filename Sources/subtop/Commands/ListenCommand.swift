import AppStore
import ArgumentParser
import Dashboard
import Dispatch
import Glibc
import Listening
import Logging
import ReceiptStore
import Subscriptions
import Synchronization

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Receive App Store Server Notifications, version 2 and 1, and keep them in the store.",
    discussion: """
      POST / and POST /notifications take them, over plain HTTP: put a TLS proxy before it, which Apple needs. 200 is answered once a
      notification is in the store for good, 400 to one that is not taken, 500 where Apple is to send it again. GET /healthz says
      whether the store can be read, GET /metrics what came, in OpenMetrics. SIGTERM and ^C end it once what came in is kept.
      """)

  @Option(help: ArgumentHelp("The port; 0 takes a free one. (default: 8990)", valueName: "n"))
  var port: Int?

  @Option(help: ArgumentHelp("The address of this machine that is listened on. (default: 127.0.0.1)"))
  var bind: String?

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard port.map({ (0...65_535).contains($0) }) ?? true else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
    guard bind?.isEmpty != true else { throw ValidationError("--bind takes an address of this machine.") }
  }

  func run() throws {
    let configuration = try options.configuration()
    let checks = try NotificationChecks(configuration)
    let store = try options.openForWriting(configuration)
    var settings = configuration.listen.options
    settings.port = port ?? settings.port
    settings.address = bind ?? settings.address
    let reporter = ListenerReporter()
    let listener = NotificationListener(
      store, options: settings,
      hooks: ListenerHooks(
        clock: { SystemClock.now }, admit: checks.admission, metrics: ListenerText.openMetrics,
        report: reporter.report))
    let bound: Int
    do throws(ListenerProblem) {
      bound = try listener.start()
    } catch {
      throw Failure(.failed, error.description)
    }
    // Whoever hears signals does not keep the store open.
    let interruption = Interruption { [weak store, weak listener] in
      listener?.stop()
      store?.hurry()
    }
    let url = "http://\(settings.address):\(bound)"
    if settings.port == 0 { try Standard.print(url) }
    Logger.subtop.info("listening", metadata: ["url": "\(url)"])
    let progress = reporter.begin(url) { [weak listener] in listener?.figures }
    listener.wait()
    interruption.end()
    progress?.cancel()
    reporter.end(listener.figures)
  }
}

extension NotificationChecks {
  @Sendable fileprivate func admission(_ body: NotificationBody) -> Admission {
    do throws(Failure) {
      switch try judge(body) {
      case .taken(let notification): return .taken(notification)
      case .refused(let reason): return .refused(reason)
      }
    } catch {
      return .unknown(error.message)
    }
  }
}

/// Tells of a listener: how it goes to whoever sits at a terminal, what failed to everybody, what was refused to the log.
private final class ListenerReporter: Sendable {
  private let line = ProgressLine()
  /// What was complained of last, and when: a full disk has every notification fail.
  private let last = Mutex<(reason: String, at: Instant)?>(nil)

  /// - Returns: what ends the telling; nil where nobody sits there.
  func begin(
    _ url: String, _ figures: @escaping @Sendable () -> ListenerFigures?
  ) -> (any DispatchSourceTimer)? {
    guard line.isTerminal else { return nil }
    Standard.note("listening on \(printable(url)); ^C ends it\n")
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(deadline: .now(), repeating: .seconds(1))
    source.setEventHandler { [line] in
      if let figures = figures() { line.show(ListenerText.progress(figures), share: nil) }
    }
    source.activate()
    return source
  }

  func report(_ trouble: ListenerTrouble) {
    switch trouble {
    case .refused(let reason): Logger.subtop.warning("refused a notification: \(reason)")
    case .failed(let reason):
      let now = SystemClock.now
      let isNews = last.withLock { last in
        guard last.map({ $0.reason != reason || now - $0.at >= Milliseconds.minute }) ?? true else {
          return false
        }
        last = (reason, now)
        return true
      }
      guard isNews else { return }
      Logger.subtop.error("could not keep a notification: \(reason)")
      line.clear()
      Standard.complain("could not keep a notification, which Apple is asked to send again: \(reason)")
    }
  }

  func end(_ figures: ListenerFigures) {
    line.clear()
    if line.isTerminal { Standard.note(ListenerText.progress(figures) + "\n") }
    Logger.subtop.info("stopped listening", metadata: ["received": "\(ListenerText.progress(figures))"])
  }
}
