import AppStore
import Dashboard
import Intake
import ReceiptStore
import Subscriptions

extension ImportCommand {
  /// A catalogue is in memory as a whole wherever it is used, so that the number of its prices is limited.
  func importCatalog() throws(Failure) {
    _ = try options.configuration()
    let reading = reading(of: CatalogFile.self)
    try ImportInterruption.watching(reading) { kept throws(Failure) in
      var entries: [CatalogEntry] = []
      try eachPage(of: reading) { (page) throws(Failure) in
        entries += page.map(\.item)
        guard entries.count <= FieldLimits.prices else {
          throw Failure(
            .badData,
            "the files have more than \(CountText.of(FieldLimits.prices, "price")), and nothing was imported; a catalogue is to "
              + "name each price of a product once")
        }
      }
      let store = try options.open()
      kept.become(ImportInterruption.wholeOrNothing)
      let changed = try withStoreFailures(store.add(entries))
      kept.finish(
        "imported \(CountText.of(entries.count, "price")), \(CountText.of(changed)) of them new or different\n"
      )
    }
  }

  /// Reads what is in memory as a whole before any of it is kept.
  func eachPage<Format>(
    of reading: ImportReading<Format>, _ take: (ImportReading<Format>.Page) throws(Failure) -> Void
  ) throws(Failure) {
    let pages = ImportedPages(reading.pages())
    defer { pages.close() }
    while let page = pages.next() { try take(page) }
    if let failure = pages.failure { throw failure }
    try judge(pages.bad)
  }
}
