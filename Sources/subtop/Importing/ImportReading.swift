import AppStore
import Dashboard
import Dispatch
import Intake
import ReceiptStore
import Subscriptions

/// Reader for the files of an import, page by page, with only a few pages in memory.
///
/// Unchecked sendable, because only one thread at a time reads the files: the caller's thread in `check()`,
/// or the thread started by `start()`. The caller reads that thread's results after the last page.
final class ImportReading<Format: LineFormat>: @unchecked Sendable {
  typealias Page = [(item: Format.Item, place: ImportedPlace)]

  /// Checks an item against the configuration, may complete it, and returns the reason if it is bad.
  typealias Objection = @Sendable (inout Format.Item) throws(Failure) -> String?

  private let sources: [ImportSource]
  private let skippingInvalid: Bool
  private let objection: Objection
  /// Whether all inputs are files, which never block.
  let isOfFiles: Bool
  let meter: ImportMeter
  private var isChecked = false
  private let pages = BlockingQueue<Page?>(atMost: 1)
  private var bytesRead = 0

  private(set) var failure: Failure?
  /// Bad lines found after `start()`; empty if `check()` found them before.
  private(set) var bad = BadLines()
  private(set) var remarks: [LineRemark: Int] = [:]

  private static var pageItems: Int { 500 }
  private static var pageBytes: Int { 4 << 20 }

  init(_ sources: [ImportSource], skippingInvalid: Bool, objection: @escaping Objection) {
    (self.sources, self.skippingInvalid, self.objection) = (sources, skippingInvalid, objection)
    let sizes = sources.map(\.expectedSize)
    isOfFiles = !sizes.contains(nil)
    meter = ImportMeter(total: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) })
  }

  /// Reads everything once, before anything is stored, and returns the bad lines.
  func check() throws(Failure) -> BadLines {
    var bad = BadLines()
    isChecked = true
    meter.begin("checking")
    defer { meter.end() }
    try read { (place, content) throws(Failure) in
      if case .bad(let reason) = content { bad.add(place, reason) }
    }
    return bad
  }

  /// Starts reading on another thread; items after a bad line are dropped, unless bad lines are skipped.
  func start() {
    meter.begin("importing")
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      do throws(Failure) {
        try readPages()
      } catch {
        failure = error
      }
      meter.end()
      pages.put(nil)
    }
  }

  func next() -> Page? { pages.take() }

  private func readPages() throws(Failure) {
    var (page, begun) = (Page(), 0)
    try read { (place, content) throws(Failure) in
      switch content {
      case .item(let item) where bad.count == 0 || skippingInvalid: page.append((item, place))
      case .item: return
      // The line was good in the first pass, so the file has changed.
      case .bad where isChecked: guard skippingInvalid else { throw ImportSource.changed(place.name) }
      case .bad(let reason): bad.add(place, reason)
      case .remark(let remark): remarks[remark, default: 0] += 1
      }
      guard page.count >= Self.pageItems || bytesRead - begun >= Self.pageBytes else { return }
      pages.put(page)
      (page, begun) = ([], bytesRead)
    }
    if !page.isEmpty { pages.put(page) }
  }

  private func read(
    _ take: (ImportedPlace, LineContent<Format.Item>) throws(Failure) -> Void
  ) throws(Failure) {
    var badCount = 0
    bytesRead = 0
    for source in sources {
      try source.begin()
      defer { source.end() }
      var lines = LineStream(named: source.name) { [self] () throws(Failure) in
        let bytes = try source.more()
        bytesRead += bytes.count
        meter.show(bytesRead)
        return bytes
      }
      try Format.read(&lines) { (line, content) throws(Failure) in
        let content = try judged(content)
        if case .bad = content { badCount += 1 }
        guard badCount <= FieldLimits.badLines else { throw tooManyBad(source) }
        try take(ImportedPlace(name: source.name, line: line), content)
      }
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
      "\(source.name) has more than \(CountText.of(FieldLimits.badLines, "bad line")); reading stopped, and "
        + "nothing was imported; it probably does not contain \(Format.what)")
  }
}

struct ImportedPlace: CustomStringConvertible {
  var name: String
  var line: Int

  var description: String { "\(name), line \(line)" }
}

/// Bad lines of an import: their number, and descriptions of the first 20.
struct BadLines {
  private(set) var named: [String] = []
  private(set) var count = 0

  mutating func add(_ place: ImportedPlace, _ reason: String) {
    count += 1
    if count <= 20 { named.append("\(place): \(reason)") }
  }
}
