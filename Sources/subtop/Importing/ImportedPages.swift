import Intake
import ReceiptStore
import Synchronization

/// Pages of an import for the store, until they end, cannot be read, or are stopped.
final class ImportedPages<Format: LineFormat>: Sendable {
  private let steps: Handover<ImportReading<Format>.Step>
  private let isStopped = Atomic(false)
  private let trouble = Mutex<Failure?>(nil)
  private let badLines = Mutex(BadLines())
  private let remarked = Mutex<[LineRemark: Int]>([:])

  init(_ steps: Handover<ImportReading<Format>.Step>) { self.steps = steps }

  /// Reason for a premature end.
  var failure: Failure? { trouble.withLock { $0 } }
  /// Bad lines, unless they were checked before.
  var bad: BadLines { badLines.withLock { $0 } }
  /// Numbers of lines by remark, complete after the last page.
  var remarks: [LineRemark: Int] { remarked.withLock { $0 } }
  var isCutShort: Bool { failure != nil || isStopped.load(ordering: .acquiring) }

  /// Stops the import, from any thread.
  func stop() { isStopped.store(true, ordering: .releasing) }

  /// Returns the next page, or `nil` at the end, which may be premature.
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
