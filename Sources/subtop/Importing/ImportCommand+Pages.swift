import Dashboard
import Glibc
import Intake
import ReceiptStore
import Subscriptions

extension ImportCommand {
  func importReceipts<Format: LineFormat>(
    _ format: Format.Type, called name: String
  ) throws where Format.Item == ImportedReceipt {
    let reading = reading(of: format, objection: try naming(format))
    try check(reading)
    let store = try options.open()
    let known = try store.apps()
    var count = 0
    func next() -> [ImportedReceipt]? {
      let page = reading.next()?.map(\.item).filter { part?.contains($0) ?? true }
      count += page?.count ?? 0
      return page
    }
    let summary = try paged(reading) { try store.add(pages: next, at: SystemClock.now) }
    let remarks = ImportRemarks(reading.remarks)
    let changed = [
      summary.mended > 0 ? "\(CountText.of(summary.mended)) repaired" : nil,
      summary.moved > 0 ? "\(CountText.of(summary.moved)) moved from another app" : nil,
    ].compactMap(\.self)
    Standard.note(
      (["imported \(remarks.counted(count, name)), \(CountText.of(summary.new)) of them new"] + changed)
        .joined(separator: ", ")
        + "; `subtop sweep` checks them with Apple\n")
    if summary.givenUp > 0 {
      Standard.note(
        "gave up on \(CountText.of(summary.givenUp, name)) of another app, because Apple's answers name "
          + "this app\n")
    }
    for line in remarks.lines { Standard.note(line + "\n") }
    try noteNewApps(of: store, beside: known)
  }

  private func noteNewApps(of store: ReceiptStore, beside known: [BundleID]) throws {
    guard let one = known.first else { return }
    let configured = try options.configuration().apps
    for app in try store.apps() where !known.contains(app) && configured[app] == nil {
      Standard.note(
        "the app \(printable(app.rawValue)) is new in the store, which has others, such as "
          + "\(printable(one.rawValue)); if it is mistyped, import the file again for the right app\n")
    }
  }

  private func naming<Format: LineFormat>(
    _ format: Format.Type
  ) throws -> ImportReading<Format>.Objection
  where Format.Item == ImportedReceipt {
    let app = bundle.map { BundleID($0) }
    let apps = try options.configuration().apps.count
    return { item throws(Failure) in
      if item.bundleID == nil { item.bundleID = app }
      guard item.bundleID == nil, case .customer = item.handle, apps > 1 else { return nil }
      return
        "it names no app, and \(apps) are configured; add a column bundle_id, or pass --bundle for a file of one app"
    }
  }

  func importResponses() throws {
    try importAnswers(
      reading(of: ResponsesFile.self), called: "answer", policy: try options.configuration().duePolicy
    ) { $0 }
  }

  /// Imports verifyReceipt answers, or signed rows as answers.
  func importAnswers<Format>(
    _ reading: ImportReading<Format>, called name: String, policy: DuePolicy,
    _ answer: @escaping (Format.Item) -> ImportedAnswer?
  ) throws {
    let (summary, refused) = try importWhole(reading, policy: policy, answer) {
      store, next in
      try store.add(pages: next, at: SystemClock.now, leavingOutRefused: skipInvalid) { index, count in
        reading.meter.show(index: index, of: count)
        return true
      }
    }
    let news =
      "\(CountText.of(summary.changed)) with changes: \(CountText.of(summary.newTransactions, "new transaction"))"
    Standard.note(
      "imported \(CountText.of(summary.items - refused, name)), "
        + (summary.changed > 0 ? "\(news)\n" : "nothing new\n"))
  }

  /// Imports everything in one commit; a bad line discards the whole import unless `skipInvalid` is set.
  ///
  /// A pipe is checked before the commit begins, so that other programs do not wait for the pipe's writer.
  /// Files are checked first if there is no store yet, so that a bad file does not create one.
  ///
  /// - Parameters:
  ///   - item: Returns what to store for an entry; `nil` skips the entry.
  ///   - add: Adds pages to the store; `next` gets the refusals in the page before, and returns the next.
  func importWhole<Format, Item: Sendable, Summary>(
    _ reading: ImportReading<Format>, policy: DuePolicy, _ item: @escaping (Format.Item) -> Item?,
    _ add: (
      ReceiptStore, _ next: ([ImportSummary.Refusal]) -> ImportPage<Item>
    ) throws -> Summary
  ) throws -> (Summary, refused: Int) {
    if !reading.isOfFiles || !ReceiptStore.exists(options.path) { try check(reading) }
    let store = try options.open(policy: policy)
    var refused = BadLines()
    var places: [ImportedPlace] = []
    func next(_ refusals: [ImportSummary.Refusal]) -> ImportPage<Item> {
      for refusal in refusals { refused.add(places[refusal.index], refusal.reason) }
      guard let page = reading.next() else {
        return reading.failure != nil || (!skipInvalid && reading.bad.count > 0) ? .abandon : .end
      }
      let items = page.compactMap { entry, place in item(entry).map { (item: $0, place: place) } }
      places = items.map(\.place)
      return .items(items.map(\.item))
    }
    let summary = try paged(reading) { try add(store, next) }
    try judge(refused)
    return (summary, refused.count)
  }

  func check<Format>(_ reading: ImportReading<Format>) throws { try judge(try reading.check()) }

  func reading<Format>(
    of format: Format.Type, in files: [String]? = nil,
    objection: @escaping ImportReading<Format>.Objection = { _ throws(Failure) in nil }
  ) -> ImportReading<Format> {
    let folder = InputFolder.beside(options.path)
    return ImportReading(
      (files ?? self.files).map { ImportSource($0, folder: folder) }, skippingInvalid: skipInvalid,
      objection: objection)
  }

  /// Reads the pages on another thread while `take` uses them.
  func paged<Format, Value>(
    _ reading: ImportReading<Format>, _ take: () throws -> Value
  ) throws -> Value {
    reading.start()
    defer { reading.meter.end() }
    let value = try take()
    if let failure = reading.failure { throw failure }
    try judge(reading.bad)
    return value
  }

  /// Reads all entries of a format that is kept in memory, before anything is stored.
  func all<Format, Entry>(
    of reading: ImportReading<Format>, atMost most: Int, called name: String,
    _ entries: (Format.Item) -> [Entry]
  ) throws -> [Entry] {
    try paged(reading) {
      var all: [Entry] = []
      while let page = reading.next() {
        all += page.flatMap { entries($0.item) }
        guard all.count <= most else {
          throw Failure(
            .badData,
            "the files have more than \(CountText.of(most, name)), and nothing was imported; import fewer at once"
          )
        }
      }
      return all
    }
  }
}

/// Folder for temporary copies of input, which are as large and as personal as the store.
enum InputFolder {
  /// Returns a path's folder or, if it does not exist yet, its nearest existing ancestor.
  ///
  /// The folder is not created here, because a refused import must not create any.
  static func beside(_ path: String) -> String {
    var folder = path[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let name = folder.isEmpty ? "/" : String(folder)
      var status = stat()
      if stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return name }
    }
    return "."
  }
}
