import Dashboard
import Dispatch
import Logging
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization

/// Does what the dashboard asks for, away from the main thread, and mails the answers.
final class EffectRunner: Sendable {
  private let store: ReceiptStore
  private let mailbox: Mailbox
  private let asKnownThen: Bool
  private let program: SmallBusinessProgram
  private let reporting: CurrencyCode?
  private let alerts: AlertWatch?
  private let now: @Sendable () -> Instant
  /// Variables of the environment with secrets, which no other program gets.
  private let secretVariables: Set<String>
  private let makeSweep: @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  /// What a panel shows, what is looked up in it, lists, which may be long, and what takes its time: none of these waits for another.
  private let questions = DispatchQueue(label: "subtop.questions", qos: .userInitiated)
  private let searches = DispatchQueue(label: "subtop.searches", qos: .userInitiated)
  private let lists = DispatchQueue(label: "subtop.lists", qos: .userInitiated)
  private let arranging = DispatchQueue(label: "subtop.arranging", qos: .userInitiated)
  private let suggestions = DispatchQueue(label: "subtop.suggestions", qos: .userInitiated)
  private let errands = DispatchQueue(label: "subtop.errands", qos: .userInitiated)
  /// Waits for programs and for the network.
  private let alarms = DispatchQueue(label: "subtop.alerts", qos: .utility)
  private let newestLoad = Mutex(0)
  private let newestRows = Mutex(0)
  private let newestCompared = Mutex(0)
  private let newestWork = Mutex(0)
  private let newestSuggestion = Mutex(0)
  private let running = Mutex<Sweep?>(nil)
  private let sweeping = DispatchGroup()

  /// - Parameters:
  ///   - asKnownThen: whether figures are of a fixed instant, by what was known then.
  ///   - program: decides Apple's share.
  ///   - reporting: the currency in which amounts are told as well.
  ///   - alerts: what sweeps tell of; nil where there is nothing.
  ///   - now: when a sweep is over, which alerts are held against.
  ///   - makeSweep: makes a sweep that mails to a watcher; throws where none may run.
  init(
    store: ReceiptStore, mailbox: Mailbox, asKnownThen: Bool, program: SmallBusinessProgram,
    reporting: CurrencyCode?, alerts: AlertWatch? = nil, secretVariables: Set<String> = [],
    now: @escaping @Sendable () -> Instant,
    makeSweep: @escaping @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  ) {
    self.store = store
    self.mailbox = mailbox
    self.asKnownThen = asKnownThen
    self.program = program
    self.reporting = reporting
    self.alerts = alerts
    self.secretVariables = secretVariables
    self.now = now
    self.makeSweep = makeSweep
  }

  func load(_ question: Question, serial: Int) {
    newestLoad.withLock { $0 = max($0, serial) }
    questions.async { [self] in
      // Somebody has moved on: the answer would be dropped.
      guard newestLoad.withLock({ $0 <= serial }) else { return }
      let question = complete(question)
      answer(serial) { () throws(StoreError) in .loaded(try store.report(question), serial: serial) }
    }
  }

  func loadCompared(_ question: Question, _ comparison: Comparison, serial: Int) {
    newestCompared.withLock { $0 = max($0, serial) }
    questions.async { [self] in
      guard newestCompared.withLock({ $0 <= serial }) else { return }
      answer(serial) { () throws(StoreError) in
        let known = try store.knownNames()
        if let unknown = comparison.unknown(among: known) {
          return .failed(unknown.sentence(in: store.path, known), serial: serial)
        }
        let question = complete(question)
        return .comparedLoaded(
          try store.report(comparison.this(question)), with: try store.report(comparison.that(question)),
          serial: serial)
      }
    }
  }

  func loadAlerts(at: Instant, serial: Int) {
    alarms.async { [self] in
      answer(serial) { () throws(StoreError) in
        .alertsLoaded(try alerts?.states(at: at, asKnownThen: asKnownThen) ?? [], serial: serial)
      }
    }
  }

  /// Tells of what a sweep saw, before whoever asks for the alerts next is answered.
  private func tellOfAlerts() {
    guard let alerts else { return }
    alarms.async { [self] in
      for trouble in alerts.tell(at: now()) { mailbox.post(.noted(trouble, isBad: true)) }
    }
  }

  func loadRows(_ question: Question, figure: String, serial: Int) {
    newestRows.withLock { $0 = max($0, serial) }
    lists.async { [self] in
      guard isWanted(serial) else { return }
      let question = complete(question)
      answer(serial) { () throws(StoreError) in
        let path = FigurePath(figure, of: question.panel)
        var told: Int64 = 0
        let rows = try store.rows(
          behind: path.map(question.narrowed) ?? question, figure: path?.name ?? figure
        ) { read, all in
          if SystemClock.uptime >= told + Self.rhythm {
            told = SystemClock.uptime
            mailbox.post(.reading(read, of: all, serial: serial))
          }
          return isWanted(serial)
        }
        return rows.map { .rowsLoaded($0, serial: serial) }
      }
    }
  }

  /// Milliseconds between two words about a list that is being read.
  private static let rhythm: Int64 = 100

  private func isWanted(_ serial: Int) -> Bool { newestRows.withLock { $0 == serial } }

  /// Nobody waits for rows any more.
  func stopRows() { newestRows.withLock { $0 += 1 } }

  func arrange(_ work: ListWork, serial: Int) {
    newestWork.withLock { $0 = max($0, serial) }
    arranging.async { [self] in
      guard newestWork.withLock({ $0 == serial }) else { return }
      mailbox.post(.arranged(work.done(), serial: serial))
    }
  }

  /// With what the dashboard does not know.
  private func complete(_ question: Question) -> Question {
    var question = question
    question.asKnownThen = asKnownThen
    question.smallBusinessProgram = program
    question.reportingCurrency = reporting
    return question
  }

  func find(_ id: String, at: Instant, serial: Int) {
    searches.async { [self] in
      answer(serial) { () throws(StoreError) in
        .found(
          try store.chains(matching: id, at: at, asKnownThen: asKnownThen, program: program), serial: serial)
      }
    }
  }

  /// Tells ids that a text may be a part of, unless somebody has typed on.
  func suggest(_ text: String, serial: Int) {
    newestSuggestion.withLock { $0 = max($0, serial) }
    @Sendable func isWanted() -> Bool { newestSuggestion.withLock { $0 == serial } }
    suggestions.async { [self] in
      guard isWanted() else { return }
      answer(serial) { () throws(StoreError) in
        let found = try store.suggestions(for: text, while: isWanted)
        return isWanted() ? .suggested(found, serial: serial) : nil
      }
    }
  }

  func loadOrigins(serial: Int) {
    questions.async { [self] in
      answer(serial) { () throws(StoreError) in
        .originsLoaded(try store.cohortOrigins(), serial: serial)
      }
    }
  }

  func loadStatus(at: Instant, serial: Int) {
    questions.async { [self] in
      answer(serial) { () throws(StoreError) in .statusLoaded(try store.status(at: at), serial: serial) }
    }
  }

  func loadQueue(at: Instant, serial: Int) {
    errands.async { [self] in
      answer(serial) { () throws(StoreError) in .queueLoaded(try store.queue(at: at), serial: serial) }
    }
  }

  /// What a receipt holds, by its number in the store.
  func find(_ receipt: ReceiptID, at: Instant, serial: Int) {
    searches.async { [self] in
      answer(serial) { () throws(StoreError) in
        .found(
          try store.chains(of: receipt, at: at, asKnownThen: asKnownThen, program: program), serial: serial)
      }
    }
  }

  func loadReceipts(_ question: ReceiptQuestion, limit: Int, at: Instant, serial: Int) {
    searches.async { [self] in
      answer(serial) { () throws(StoreError) in
        .receiptsLoaded(try store.receipts(question, limit: limit, at: at), serial: serial)
      }
    }
  }

  func countSweep(_ request: SweepRequest, at: Instant, serial: Int) {
    searches.async { [self] in
      answer(serial) { () throws(StoreError) in
        let selection = try store.selection(request, at: at)
        return .sweepCounted(selection, try store.estimate(of: selection, at: at), serial: serial)
      }
    }
  }

  func encode(_ chain: ChainReport, serial: Int) {
    errands.async { [self] in
      do {
        mailbox.post(.encoded(try jsonText(chain), serial: serial))
      } catch {
        mailbox.post(.failed("The subscription history could not be put into JSON: \(error)", serial: serial))
      }
    }
  }

  func export(_ table: TableExport, to path: String) {
    errands.async { [self] in
      let file = ExportFile(path)
      do throws(Failure) {
        try file.write(table)
        let left = table.missing > 0 ? "; \(CountText.of(table.missing)) more are in the store" : ""
        let rows = CountText.of(table.listedCount, "row")
        mailbox.post(.noted("Wrote \(rows) to \(file.path)\(left).", isBad: table.missing > 0))
      } catch {
        mailbox.post(.noted(error.message, isBad: true))
      }
    }
  }

  /// Each on a thread of its own: how long it takes is nobody else's affair.
  func run(_ name: String, _ arguments: [String]) {
    DispatchQueue.global(qos: .utility).async { [self] in
      let outcome = OwnProgram(arguments: arguments, hidden: secretVariables).run()
      mailbox.post(.ran(name: name, lines: outcome.lines, failure: outcome.failure))
    }
  }

  private func answer(_ serial: Int, _ body: () throws(StoreError) -> Event?) {
    do throws(StoreError) {
      if let event = try body() { mailbox.post(event) }
    } catch {
      mailbox.post(.failed(error.description, serial: serial))
    }
  }

  func startSweep(_ selection: SweepSelection) {
    do {
      sweeping.enter()
      let sweep = try makeSweep(selection) { [self] event in
        switch event {
        case .progress(let progress): mailbox.post(.sweepProgress(progress))
        case .finished(let summary):
          Logger.subtop.record(summary)
          if summary.stopped != .interrupted { tellOfAlerts() }
          end(.sweepFinished(summary))
        case .failed(let error):
          Logger.subtop.error("\(error)")
          end(.sweepFailed(error.description))
        }
      }
      running.withLock { $0 = sweep }
      mailbox.post(.sweepStarted)
      sweep.start()
    } catch {
      end(.sweepFailed((error as? Failure)?.message ?? "\(error)"))
    }
  }

  private func end(_ event: Event) {
    running.withLock { $0 = nil }
    mailbox.post(event)
    sweeping.leave()
  }

  /// Where no sweep can take it any more, whoever asked is told.
  func sweepFirst(_ selection: SweepSelection) {
    guard running.withLock({ $0 })?.hasten(selection) != true else { return }
    mailbox.post(.sweepTooLate(selection))
  }

  func pauseSweep() { running.withLock { $0 }?.pause() }
  func resumeSweep() { running.withLock { $0 }?.resume() }
  func stopSweep() { running.withLock { $0 }?.cancel() }

  /// Stops a running sweep; while another program writes, every write is given up after a second from now on.
  func stop() {
    stopSweep()
    store.shortenBusyTimeout()
  }

  /// Waits for a sweep that was stopped to have committed what was answered, and to have given back the rest. While
  /// another program writes that is a second for each write that is given up, and there are few.
  func finish() {
    _ = sweeping.wait(timeout: .now() + .seconds(5))
  }
}
