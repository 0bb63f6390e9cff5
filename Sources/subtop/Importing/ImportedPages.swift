import Intake
import ReceiptStore
import Synchronization

/// The pages of an import, as the store takes them, until they end, one cannot be read, or somebody stops it.
final class ImportedPages<Format: LineFormat>: Sendable {
  private let steps: Handover<ImportReading<Format>.Step>
  private let isStopped = Atomic(false)
  private let trouble = Mutex<Failure?>(nil)
  private let badLines = Mutex(BadLines())
  private let remarked = Mutex<[LineRemark: Int]>([:])

  init(_ steps: Handover<ImportReading<Format>.Step>) { self.steps = steps }

  /// Why there are no more pages, though there should be.
  var failure: Failure? { trouble.withLock { $0 } }
  /// What was wrong with lines, where that was not checked before.
  var bad: BadLines { badLines.withLock { $0 } }
  /// How many lines of which kind were worth a remark, once there are no more pages.
  var remarks: [LineRemark: Int] { remarked.withLock { $0 } }
  /// Whether what was taken is not the whole.
  var isCutShort: Bool { failure != nil || isStopped.load(ordering: .acquiring) }

  /// From any thread.
  func stop() { isStopped.store(true, ordering: .releasing) }

  /// Nil at the end, which may be too early.
  func next() -> ImportReading<Format>.Page? {
    guard !isCutShort else { return nil }
    switch steps.take() {
    case .page(let page): return page
    case .failed(let failure): trouble.withLock { $0 = failure }
    case .end(let bad, let remarks):
      badLines.withLock { $0 = bad }
      remarked.withLock { $0 = remarks }
    case nil: break
    }
    return nil
  }

  /// Nothing more is taken.
  func close() { steps.close() }
}
