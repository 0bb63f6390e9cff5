import Dashboard
import Glibc
import Intake
import ReceiptStore
import Subscriptions

/// Imports that may be larger than memory.
extension ImportCommand {
  /// - Parameter name: Name of one item, for messages.
  func importReceipts<Format: LineFormat>(
    _ format: Format.Type, called name: String
  ) throws(Failure) where Format.Item == ImportedReceipt {
    let reading = reading(of: format, objection: try naming(format))
    try check(reading)
    let store = try options.open()
    let known = try withStoreFailures(store.apps())
    // A page is committed before the next one is requested.
    var (count, kept) = (0, 0)
    let (summary, remarks) = try paged(
      reading, into: store,
      kept: { _ in
        kept == 0
          ? ImportInterruption.nothing
          : "\(CountText.of(kept, "\(name) was", "\(name)s were")) kept; run the same import again, which passes over "
            + "what is kept and takes the rest"
      }
    ) { (pages) throws(StoreError) in
      let summary = try store.add(
        pages: {
          kept = count
          let page = pages.next()?.map(\.item)
          count += page?.count ?? 0
          return page
        }, at: SystemClock.now)
      return (summary, pages.remarks)
    }
    let said = ImportRemarks(remarks)
    let changed = [
      summary.mended > 0 ? "\(CountText.of(summary.mended)) mended" : nil,
      summary.moved > 0 ? "\(CountText.of(summary.moved)) of another app until now" : nil,
    ].compactMap(\.self)
    Standard.note(
      (["imported \(said.counted(count, name)), \(CountText.of(summary.new)) of them new"] + changed)
        .joined(separator: ", ")
        + "; `subtop sweep` \(said.isOfExport ? "asks Apple about them" : "validates them")\n")
    if summary.givenUp > 0 {
      Standard.note(
        CountText.of(
          summary.givenUp, "\(name) was imported for another app and is",
          "\(name)s were imported for another app and are")
          + " given up: answers are of the app that is named now\n")
    }
    for line in said.lines { Standard.note(line + "\n") }
    try noteNewApps(of: store, beside: known)
  }

  /// Reports apps that are new in the store, since receipts under a mistyped app can never be checked.
  private func noteNewApps(of store: ReceiptStore, beside known: [BundleID]) throws(Failure) {
    guard let one = known.first else { return }
    let configured = try options.configuration().apps
    for app in try withStoreFailures(store.apps()) where !known.contains(app) && configured[app] == nil {
      Standard.note(
        "nothing in the store was of the app \(printable(app.rawValue)) before, only of others, such as "
          + "\(printable(one.rawValue)); if it is mistyped, import the same again for the right app\n")
    }
  }

  /// Returns a check that sets the app of --bundle on items without an app. It rejects customers without one
  /// if several apps are configured, since a token of the Server API is for one app.
  private func naming<Format: LineFormat>(
    _ format: Format.Type
  ) throws(Failure) -> ImportReading<Format>.Objection
  where Format.Item == ImportedReceipt {
    let app = bundle.map { BundleID($0) }
    let apps = try options.configuration().apps.count
    return { item throws(Failure) in
      if item.bundleID == nil { item.bundleID = app }
      guard item.bundleID == nil, case .customer = item.handle, apps > 1 else { return nil }
      return
        "it names no app, of which \(apps) are configured; give the file a column bundle_id, or pass --bundle for an app's file"
    }
  }

  func importResponses() throws(Failure) {
    try importAnswers(
      reading(of: ResponsesFile.self), called: "answer", policy: try options.configuration().duePolicy
    ) { $0 }
  }

  /// Imports verifyReceipt answers, or signed rows as answers.
  ///
  /// - Parameter answer: Returns `nil` for an item that the reader refuses.
  func importAnswers<Format>(
    _ reading: ImportReading<Format>, called name: String, policy: DuePolicy,
    _ answer: @escaping (Format.Item) -> ImportedAnswer?
  ) throws(Failure) {
    let (summary, refused) = try importWhole(reading, policy: policy, answer) {
      (store, next, pages) throws(StoreError) in
      try store.add(pages: next, at: SystemClock.now, leavingOutRefused: skipInvalid) { index, count in
        reading.meter.show(index: index, of: count)
        return !pages.isCutShort
      }
    }
    Standard.note(
      "imported \(CountText.of(summary.items - refused, name)), "
        + "\(CountText.of(summary.changed)) with news: "
        + "\(CountText.of(summary.newTransactions, "new transaction"))\n")
  }

  /// Imports everything in one commit, so that a bad line discards the whole import.
  ///
  /// A pipe is read before the commit begins, so that other programs need not wait for its writer. So is a
  /// file if there is no store yet, so that a bad file does not create one.
  ///
  /// - Parameters:
  ///   - item: returns the item for the store; `nil` if the reader refuses it.
  ///   - add: passes the pages to the store.
  /// - Returns: the result of `add`, and the number of items that the store refused.
  func importWhole<Format, Item: Sendable>(
    _ reading: ImportReading<Format>, policy: DuePolicy, _ item: @escaping (Format.Item) -> Item?,
    _ add: (
      ReceiptStore, _ next: ([ImportSummary.Refusal]) -> ImportPage<Item>, ImportedPages<Format>
    ) throws(StoreError) -> ImportSummary
  ) throws(Failure) -> (ImportSummary, refused: Int) {
    if !reading.isOfFiles || !ReceiptStore.exists(options.path) { try check(reading) }
    let store = try options.open(policy: policy)
    var refused = BadLines()
    let summary = try paged(
      reading, into: store, kept: { ImportInterruption.kept(whole: $0?.isKept ?? false) }
    ) { (pages) throws(StoreError) -> ImportSummary in
      var places: [ImportedPlace] = []
      return try add(
        store,
        { refusals in
          for refusal in refusals { refused.add(places[refusal.index], refusal.reason) }
          guard let page = pages.next() else {
            return pages.isCutShort || (!skipInvalid && pages.bad.count > 0) ? .abandon : .end
          }
          let items = page.compactMap { entry, place in item(entry).map { (item: $0, place: place) } }
          places = items.map(\.place)
          return .items(items.map(\.item))
        }, pages)
    }
    try judge(refused)
    return (summary, refused.count)
  }

  /// Reads everything once, and throws if there are bad lines, unless --skip-invalid is given.
  func check<Format>(_ reading: ImportReading<Format>) throws(Failure) {
    try judge(
      try ImportInterruption.watching(reading) { _ throws(Failure) in try reading.check() })
  }

  func reading<Format>(
    of format: Format.Type,
    objection: @escaping ImportReading<Format>.Objection = { _ throws(Failure) in nil }
  ) -> ImportReading<Format> {
    ImportReading(
      files, folder: InputFolder.beside(options.path), skippingInvalid: skipInvalid, objection: objection)
  }

  /// Passes the pages to the store. If interrupted, keeps what was committed: no answers, or some pages of
  /// receipts.
  ///
  /// - Parameter kept: Describes what was kept, from the store's result; `nil` if it failed.
  func paged<Format, Value>(
    _ reading: ImportReading<Format>, into store: ReceiptStore, kept: (Value?) -> String,
    _ take: (ImportedPages<Format>) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let pages = ImportedPages(reading.pages())
    // The signal handler must not keep the store open.
    let interruption = Interruption { [weak store] in
      pages.stop()
      store?.shortenBusyTimeout()
    }
    var taken: Value?
    defer {
      pages.close()
      reading.meter.end()
      if let number = interruption.number { ImportInterruption.end(by: number, keeping: kept(taken)) }
    }
    let value = try withStoreFailures(take(pages))
    taken = value
    if let failure = pages.failure { throw failure }
    try judge(pages.bad)
    return value
  }
}

/// Folder for temporary data that is as large and as personal as the store.
enum InputFolder {
  /// Returns the folder of a file, or its nearest existing ancestor, since a refused import creates no
  /// folders.
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
