import AppStore
import Dashboard
import Dispatch
import Intake
import ReceiptStore
import Subscriptions

/// What the files of an import hold, read page by page for the store; and before that once to name every bad line, where the
/// store cannot undo what it took. However large they are, a few pages are in memory.
///
/// Checked by hand instead of by the compiler: the files are read by one thread at a time, the caller's in `check()` and the
/// one that `pages()` starts.
final class ImportReading<Format: LineFormat>: @unchecked Sendable {
  /// What was read and where it stands.
  typealias Page = [(item: Format.Item, place: ImportedPlace)]

  enum Step: Sendable {
    case page(Page)
    case failed(Failure)
    /// What was wrong with lines that nobody checked before, and how many of which were worth a remark.
    case end(BadLines, [LineRemark: Int])
  }

  /// Why an item is bad after all, as the configuration knows; nil where it is good. What was learnt of it may be put into it.
  typealias Objection = @Sendable (inout Format.Item) throws(Failure) -> String?

  private let sources: [ImportSource]
  private let skippingInvalid: Bool
  private let objection: Objection
  /// Whether all of them are files, none of which has its reader wait.
  let isOfFiles: Bool
  let meter: ImportMeter
  private var isChecked = false

  /// A page is as many items, or so many bytes of a file.
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

  /// Reads everything and keeps nothing but what is wrong.
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

  /// Starts to read everything, ahead of whoever takes the pages, the last of which is an end or a failure. Behind a bad line
  /// there are no more of them, unless such are to be left out.
  func pages() -> Handover<Step> {
    let pages = Handover<Step>(atMost: 1)
    DispatchQueue.global(qos: .userInitiated).async { self.run(into: pages) }
    return pages
  }

  private func run(into pages: Handover<Step>) {
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
        // What was good when it was checked is another file's by now.
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

  /// - Parameter take: gets each line with the bytes read so far, and says whether to go on.
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
