import Dashboard
import Dispatch
import Files
import Glibc
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Sweep
import Synchronization

/// Performs the dashboard's effects on other threads, and posts the results as events.
final class EffectRunner: Sendable {
  private let session: DashboardSession
  private let mailbox: Mailbox
  /// Queue for panels, separate from the following queues, so that a slow list does not delay a panel.
  private let questions = DispatchQueue(label: "subtop.questions", qos: .userInitiated)
  private let searches = DispatchQueue(label: "subtop.searches", qos: .userInitiated)
  private let lists = DispatchQueue(label: "subtop.lists", qos: .userInitiated)
  private let arranging = DispatchQueue(label: "subtop.arranging", qos: .userInitiated)
  private let suggestions = DispatchQueue(label: "subtop.suggestions", qos: .userInitiated)
  private let errands = DispatchQueue(label: "subtop.errands", qos: .userInitiated)
  /// Queue for alerts, because reporting them waits for programs and the network.
  private let alarms = DispatchQueue(label: "subtop.alerts", qos: .utility)
  private let newestLoad = NewestSerial()
  private let newestRows = NewestSerial()
  private let newestCompared = NewestSerial()
  private let newestWork = NewestSerial()
  private let newestSuggestion = NewestSerial()
  private let running = Mutex<Sweep?>(nil)
  private let sweeping = DispatchGroup()
  private let delivering = DispatchGroup()

  init(_ session: DashboardSession, _ mailbox: Mailbox) { (self.session, self.mailbox) = (session, mailbox) }

  private var store: ReceiptStore { session.store }
  /// Store with receipts and sweeps; throws an error for a shared view, which has neither.
  private var ownStore: ReceiptStore {
    get throws(StoreError) {
      guard !store.isShared else {
        throw StoreError("a shared view has no receipts and sweeps; see them on the machine that publishes")
      }
      return store
    }
  }
  var secretVariables: Set<String> { session.secretVariables }
  private var asKnownThen: Bool { session.fixedAt != nil }

  /// Performs or starts an effect; quitting and effects on the terminal are left to the main loop.
  func perform(_ effect: Effect) {
    switch effect {
    case .load(let question, let serial):
      ask(questions, serial, newest: newestLoad) { [self] in
        .loaded(try store.report(complete(question)), serial: serial)
      }
    case .loadCompared(let question, let comparison, let serial):
      ask(questions, serial, newest: newestCompared) { [self] in
        try compared(complete(question), comparison, serial)
      }
    case .loadRows(let question, let figure, let serial):
      ask(lists, serial, newest: newestRows) { [self] in try rows(of: complete(question), figure, serial) }
    case .stopRows: newestRows.pass()
    case .arrange(let work, let serial):
      ask(arranging, serial, newest: newestWork) { .arranged(work.done(), serial: serial) }
    case .loadAlerts(let at, let serial):
      ask(alarms, serial) { [self] in
        .alertsLoaded(try session.alerts?.states(at: at, asKnownThen: asKnownThen) ?? [], serial: serial)
      }
    case .find(let id, let at, let serial):
      ask(searches, serial) { [self] in
        .found(
          try store.chains(matching: id, at: at, asKnownThen: asKnownThen, program: session.program),
          serial: serial)
      }
    case .findReceipt(let receipt, let at, let serial):
      ask(searches, serial) { [self] in
        .found(
          try ownStore.chains(of: receipt, at: at, asKnownThen: asKnownThen, program: session.program),
          serial: serial)
      }
    case .suggest(let text, let serial):
      ask(suggestions, serial, newest: newestSuggestion) { [self] in
        let found = try store.suggestions(for: text) { newestSuggestion.isStill(serial) }
        return newestSuggestion.isStill(serial) ? .suggested(found, serial: serial) : nil
      }
    case .loadOrigins(let serial):
      ask(questions, serial) { [self] in .originsLoaded(try store.cohortOrigins(), serial: serial) }
    case .loadReconciliation(let window, let isOfPast, let serial):
      ask(errands, serial) { [self] in
        let at = isOfPast ? window.to : nil
        let figures = try store.reconciliation(over: window, asKnownAt: at)
        let payouts = try figures.map { try store.payouts(during: $0.period, asKnownAt: at, session.program) }
        let reported = figures == nil ? try store.reportedDays(asKnownAt: at) : nil
        return .reconciled(figures, payouts ?? [], reported: reported, serial: serial)
      }
    case .loadStatus(let at, let serial):
      ask(questions, serial) { [self] in .statusLoaded(try store.status(at: at), serial: serial) }
    case .loadQueue(let at, let serial):
      ask(errands, serial) { [self] in .queueLoaded(try ownStore.queue(at: at), serial: serial) }
    case .loadReceipts(let question, let limit, let at, let serial):
      ask(searches, serial) { [self] in
        .receiptsLoaded(try ownStore.receipts(question, limit: limit, at: at), serial: serial)
      }
    case .countSweep(let request, let at, let serial):
      ask(searches, serial) { [self] in
        let selection = try ownStore.selection(request, at: at)
        return .sweepCounted(selection, try store.estimate(of: selection, at: at), serial: serial)
      }
    case .encode(let chain, let serial):
      ask(errands, serial) { .encoded(try jsonText(chain), serial: serial) }
    case .export(let table, let path): export(table, to: path)
    case .run(let name, let arguments): run(name, arguments)
    case .startSweep(let selection): startSweep(selection)
    case .sweepFirst(let selection): sweepFirst(selection)
    case .pauseSweep: running.withLock { $0 }?.pause()
    case .resumeSweep: running.withLock { $0 }?.resume()
    case .stopSweep: running.withLock { $0 }?.cancel()
    case .copy, .setMouse, .setTheme, .quit, .suspend, .redraw: break
    }
  }

  /// Answers a request on `queue` and posts the answer; skips it if `newest` has a newer one by its turn.
  private func ask(
    _ queue: DispatchQueue, _ serial: Int, newest: NewestSerial? = nil,
    _ answer: @escaping @Sendable () throws -> Event?
  ) {
    newest?.take(serial)
    queue.async { [self] in
      guard newest?.isStill(serial) ?? true else { return }
      do {
        if let event = try answer() { mailbox.post(event) }
      } catch {
        mailbox.post(.failed("\(error)", serial: serial))
      }
    }
  }

  private func compared(
    _ question: Question, _ comparison: Comparison, _ serial: Int
  ) throws(StoreError) -> Event {
    let known = try store.knownNames()
    if let unknown = comparison.unknown(among: known) {
      return .failed(unknown.sentence(in: store.path, known), serial: serial)
    }
    return .comparedLoaded(
      try store.report(comparison.this(question)), with: try store.report(comparison.that(question)),
      serial: serial)
  }

  private func rows(of question: Question, _ figure: String, _ serial: Int) throws(StoreError) -> Event? {
    let path = FigurePath(figure, of: question.panel)
    var reportedAt: Int64 = 0
    let rows = try store.rows(
      behind: path.map(question.narrowed) ?? question, figure: path?.name ?? figure
    ) { read, _ in
      if SystemClock.uptime >= reportedAt + Self.refreshSchedule {
        reportedAt = SystemClock.uptime
        mailbox.post(.reading(read, serial: serial))
      }
      return newestRows.isStill(serial)
    }
    return rows.map { .rowsLoaded($0, serial: serial) }
  }

  private static let refreshSchedule: Int64 = 100

  private func complete(_ question: Question) -> Question {
    var question = question
    question.asKnownThen = asKnownThen
    question.smallBusinessProgram = session.program
    question.reportingCurrency = session.reporting
    return question
  }

  /// Reports alerts after a sweep, before the next request for alerts is answered.
  private func deliverAlerts() {
    guard let alerts = session.alerts else { return }
    alarms.async(group: delivering) { [self] in
      for trouble in alerts.deliver(at: session.now()) { mailbox.post(.noted(trouble, isBad: true)) }
    }
  }

  private func export(_ table: TableExport, to path: String) {
    errands.async { [self] in
      let file = ExportFile(path)
      do throws(Failure) {
        try file.write(table)
        let left = table.missing > 0 ? "; the store has \(CountText.of(table.missing)) more" : ""
        let rows = CountText.of(table.count, "row")
        mailbox.post(.noted("Wrote \(rows) to \(file.path)\(left).", isBad: table.missing > 0))
      } catch {
        mailbox.post(.noted(error.message, isBad: true))
      }
    }
  }

  /// Runs a program on its own thread, because its duration is unknown.
  private func run(_ name: String, _ arguments: [String]) {
    DispatchQueue.global(qos: .utility).async { [self] in
      let outcome = ChildProgram(name: name, words: arguments, hidden: session.secretVariables).output()
      mailbox.post(.ran(name: name, lines: outcome.lines, failure: outcome.failure))
    }
  }

  private func startSweep(_ selection: SweepSelection) {
    do {
      sweeping.enter()
      let sweep = try session.makeSweep(selection) { [self] event in
        switch event {
        case .progress(let progress): mailbox.post(.sweepProgress(progress))
        case .finished(let summary):
          Logger.subtop.record(summary)
          if summary.stopped != .interrupted { deliverAlerts() }
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

  private func sweepFirst(_ selection: SweepSelection) {
    guard running.withLock({ $0 })?.hasten(selection) != true else { return }
    mailbox.post(.sweepTooLate(selection))
  }

  /// Stops a running sweep; writes then wait at most one second for other programs.
  func stop() {
    running.withLock { $0 }?.cancel()
    store.shortenBusyTimeout()
  }

  /// Waits up to five seconds for a stopped sweep to commit its answers and for alerts to be reported, then
  /// ends running programs, and returns their names.
  func finish() -> [String] {
    let deadline = DispatchTime.now() + .seconds(5)
    _ = sweeping.wait(timeout: deadline)
    _ = delivering.wait(timeout: deadline)
    return ChildProgram.endAll()
  }
}

private final class NewestSerial: Sendable {
  private let serial = Mutex(0)

  func take(_ newer: Int) { serial.withLock { $0 = max($0, newer) } }

  func isStill(_ asked: Int) -> Bool { serial.withLock { $0 == asked } }

  func pass() { serial.withLock { $0 += 1 } }
}

extension ReceiptStore {
  func selection(_ request: SweepRequest, at now: Instant) throws(StoreError) -> SweepSelection {
    switch request {
    case .selection(let selection): selection
    case .chains(let chains, let name): .listed(ListedReceipts(try receiptIDs(holding: chains), of: name))
    case .receipts(let ids, let name): .listed(ListedReceipts(ids, of: name))
    case .answering(let question, let name):
      .listed(ListedReceipts(try receiptIDs(question, at: now), of: name))
    }
  }
}

/// List written as JSON with its notes if the path ends in `.json`, else as CSV; another file may have notes.
struct ExportFile {
  let path: String

  init(_ path: String) {
    self.path = path.hasPrefix("~/") ? Environment.home.map { $0 + path.dropFirst() } ?? path : path
  }

  func write(_ table: TableExport) throws(Failure) {
    let notes = Dictionary(table.notes.map { ($0.name, $0.value) }) { first, _ in first }
    let isJSON = path.hasSuffix(".json")
    do {
      let whole = JSONObject(members: ["notes": notes, "rows": table.data.json])
      try write(isJSON ? jsonText(whole) + "\n" : table.csv, to: path)
      let name = path.dropLast(isJSON ? 5 : path.hasSuffix(".csv") ? 4 : 0)
      if table.hasMeta { try write(jsonText(notes) + "\n", to: "\(name).meta.json") }
    } catch {
      throw error as? Failure ?? Failure(.failed, "cannot write \(printable(path)): \(error)")
    }
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    do throws(FileProblem) {
      try NewFile.write(Array(text.utf8), to: path)
    } catch .system(_, EEXIST) {
      throw Failure(.failed, "cannot write \(printable(path)): the file exists already; choose another name")
    } catch .system(_, let code) {
      throw Failure(.failed, "cannot write \(printable(path)): \(errorText(code))")
    } catch {
      throw Failure(.failed, "cannot write \(printable("\(error)", atMost: 300))")
    }
  }
}
