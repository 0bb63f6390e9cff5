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
  private let makeSweep: @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  /// What a panel shows, then what is looked up in it, then what takes its time: none of these waits for another.
  private let questions = DispatchQueue(label: "subtop.questions", qos: .userInitiated)
  private let searches = DispatchQueue(label: "subtop.searches", qos: .userInitiated)
  private let errands = DispatchQueue(label: "subtop.errands", qos: .userInitiated)
  private let newestLoad = Mutex(0)
  private let newestRows = Mutex(0)
  private let running = Mutex<Sweep?>(nil)
  private let sweeping = DispatchGroup()

  /// - Parameters:
  ///   - asKnownThen: whether figures are of a fixed instant, by what was known then.
  ///   - program: decides Apple's share.
  ///   - reporting: the currency in which amounts are told as well.
  ///   - makeSweep: makes a sweep that mails to a watcher; throws where none may run.
  init(
    store: ReceiptStore, mailbox: Mailbox, asKnownThen: Bool, program: SmallBusinessProgram,
    reporting: CurrencyCode?,
    makeSweep: @escaping @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  ) {
    self.store = store
    self.mailbox = mailbox
    self.asKnownThen = asKnownThen
    self.program = program
    self.reporting = reporting
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

  func loadRows(_ question: Question, figure: String, serial: Int) {
    newestRows.withLock { $0 = max($0, serial) }
    searches.async { [self] in
      guard newestRows.withLock({ $0 <= serial }) else { return }
      let question = complete(question)
      answer(serial) { () throws(StoreError) in
        let path = FigurePath(figure, of: question.panel)
        return .rowsLoaded(
          try store.rows(behind: path.map(question.narrowed) ?? question, figure: path?.name ?? figure),
          serial: serial)
      }
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

  func encode(_ chain: ChainReport, serial: Int) {
    errands.async { [self] in
      do {
        mailbox.post(.encoded(try jsonText(chain), serial: serial))
      } catch {
        mailbox.post(.failed("The chain could not be put into JSON: \(error)", serial: serial))
      }
    }
  }

  func export(_ table: TableExport, to path: String) {
    errands.async { [self] in
      let file = ExportFile(path)
      do throws(Failure) {
        try file.write(table)
        mailbox.post(.noted("Wrote \(CountText.of(table.rows.count, "row")) to \(file.path).", isBad: false))
      } catch {
        mailbox.post(.noted(error.message, isBad: true))
      }
    }
  }

  private func answer(_ serial: Int, _ body: () throws(StoreError) -> Event) {
    do throws(StoreError) {
      mailbox.post(try body())
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

  func pauseSweep() { running.withLock { $0 }?.pause() }
  func resumeSweep() { running.withLock { $0 }?.resume() }
  func stopSweep() { running.withLock { $0 }?.cancel() }

  /// Stops a running sweep; while another program writes, every write is given up after a second from now on.
  func stop() {
    stopSweep()
    store.hurry()
  }

  /// Waits for a sweep that was stopped to have committed what was answered, and to have given back the rest. While
  /// another program writes that is a second for each write that is given up, and there are few.
  func finish() {
    _ = sweeping.wait(timeout: .now() + .seconds(5))
  }
}
