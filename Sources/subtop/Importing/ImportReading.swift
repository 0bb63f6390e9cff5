import AppStore
import Dashboard
import Dispatch
import Intake
import ReceiptStore
import Subscriptions
import Synchronization

/// Reader for the files of an import, page by page. If the store cannot undo an import, the files are read
/// once before to find every bad line. Only a few pages are in memory.
///
/// Unchecked sendable: only one thread at a time reads the files, the caller's in `check()` or the one
/// started by `pages()`.
final class ImportReading<Format: LineFormat>: @unchecked Sendable {
  /// Items with their places.
  typealias Page = [(item: Format.Item, place: ImportedPlace)]

  enum Step: Sendable {
    case page(Page)
    case failed(Failure)
    /// Bad lines, unless they were checked before, and numbers of lines by remark.
    case end(BadLines, [LineRemark: Int])
  }

  /// Check of an item against the configuration. Returns why it is bad, or `nil`, and may complete the item.
  typealias Objection = @Sendable (inout Format.Item) throws(Failure) -> String?

  private let sources: [ImportSource]
  private let skippingInvalid: Bool
  private let objection: Objection
  /// Whether all inputs are files, which never block.
  let isOfFiles: Bool
  let meter: ImportMeter
  private var isChecked = false

  /// Maximum size of a page.
  private static var pageItems: Int { 500 }
  private static var pageBytes: Int { 4 << 20 }

  init(_ files: [String], folder: String, skippingInvalid: Bool, objection: @escaping Objection) {
    self.objection = objection
    sources = files.map { ImportSource($0, folder: folder) }
    self.skippingInvalid = skippingInvalid
    let sizes = sources.map(\.expectedSize)
    isOfFiles = !sizes.contains(nil)
    meter = ImportMeter(total: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) })
  }

  /// Reads everything, and returns only the bad lines.
  func check() throws(Failure) -> BadLines {
    var bad = BadLines()
    isChecked = true
    meter.begin("checking")
    defer { meter.end() }
    try read { (place, content, _) throws(Failure) in
      if case .bad(let reason) = content { bad.add(place, reason) }
      return true
    }
    return bad
  }

  /// Starts reading everything on another thread. The last step is an end or a failure. There are no pages
  /// after a bad line, unless bad lines are skipped.
  func pages() -> BlockingQueue<Step> {
    let pages = BlockingQueue<Step>(atMost: 1)
    DispatchQueue.global(qos: .userInitiated).async { self.run(into: pages) }
    return pages
  }

  private func run(into pages: BlockingQueue<Step>) {
    meter.begin("importing")
    var page = Page()
    var bad = BadLines()
    var remarks: [LineRemark: Int] = [:]
    var begun = 0
    do throws(Failure) {
      try read { (place, content, read) throws(Failure) in
        switch content {
        case .item(let item) where bad.count == 0 || skippingInvalid: page.append((item, place))
        case .item: return true
        // A line that was good in the first pass belongs to another file now.
        case .bad where isChecked && !skippingInvalid: throw sources[place.file].changed
        case .bad(let reason): bad.add(place, reason)
        case .remark(let remark): remarks[remark, default: 0] += 1
        }
        guard page.count >= Self.pageItems || read - begun >= Self.pageBytes else { return true }
        defer { (page, begun) = ([], read) }
        return pages.put(.page(page))
      }
    } catch {
      meter.end()
      _ = pages.put(.failed(error))
      return
    }
    if !page.isEmpty { _ = pages.put(.page(page)) }
    meter.end()
    _ = pages.put(.end(isChecked ? BadLines() : bad, remarks))
  }

  /// - Parameter take: Called with each line and the number of bytes read so far. Returns whether to
  ///   continue.
  private func read(
    _ take: (ImportedPlace, LineContent<Format.Item>, _ read: Int) throws(Failure) -> Bool
  ) throws(Failure) {
    var (read, bad) = (0, 0)
    var isWanted = true
    for (index, source) in sources.enumerated() {
      try source.begin()
      defer { source.end() }
      var lines = LineStream { [meter] () throws(Failure) in
        let bytes = isWanted ? try source.more() : []
        read += bytes.count
        meter.show(read)
        return bytes
      }
      try Format.read(&lines) { (line, content) throws(Failure) in
        guard isWanted else { return }
        let content = try judged(content)
        if case .bad = content { bad += 1 }
        guard bad <= FieldLimits.badLines else { throw tooManyBad(source) }
        isWanted = try take(ImportedPlace(file: index, name: source.name, line: line), content, read)
      }
      guard isWanted else { return }
    }
  }

  private func judged(_ content: LineContent<Format.Item>) throws(Failure) -> LineContent<Format.Item> {
    guard case .item(var item) = content else { return content }
    let reason = try objection(&item)
    return reason.map(LineContent.bad) ?? .item(item)
  }

  private func tooManyBad(_ source: ImportSource) -> Failure {
    Failure(
      .badData,
      "\(source.name) has more than \(CountText.of(FieldLimits.badLines, "bad line")) and was not read on; "
        + "nothing was imported, and it may hold something else than \(Format.what)")
  }
}

/// Place of an item, for messages.
struct ImportedPlace: Hashable, Comparable, CustomStringConvertible {
  /// Index of the file, from 0.
  var file: Int
  var name: String
  var line: Int

  var description: String { "\(name), line \(line)" }

  static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line) < (right.file, right.line)
  }
}

/// Bad lines of an import: their number, and descriptions of the first.
struct BadLines: Sendable {
  private var first: [(place: ImportedPlace, reason: String)] = []
  private(set) var count = 0
  private static let mostNamed = 20

  var named: [String] { first.map { "\($0.place): \($0.reason)" } }

  /// Adds a bad line. Lines may be added in any order; the first in the files are described.
  mutating func add(_ place: ImportedPlace, _ reason: String) {
    count += 1
    let index = first.firstIndex { place < $0.place } ?? first.endIndex
    guard index < Self.mostNamed else { return }
    first.insert((place, reason), at: index)
    if first.count > Self.mostNamed { first.removeLast() }
  }
}

/// Pages of an import for the store, until they end, cannot be read, or are stopped.
final class ImportedPages<Format: LineFormat>: Sendable {
  private let steps: BlockingQueue<ImportReading<Format>.Step>
  private let isStopped = Atomic(false)
  private let trouble = Mutex<Failure?>(nil)
  private let badLines = Mutex(BadLines())
  private let remarked = Mutex<[LineRemark: Int]>([:])

  init(_ steps: BlockingQueue<ImportReading<Format>.Step>) { self.steps = steps }

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

  /// Ends the import; further pages are discarded.
  func close() { steps.close() }
}
