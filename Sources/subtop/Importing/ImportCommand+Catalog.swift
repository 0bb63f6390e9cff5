import AppStore
import Dashboard
import Intake
import ReceiptStore
import Subscriptions

extension ImportCommand {
  /// A catalogue is in memory as a whole wherever it is used, so that the number of its prices is limited.
  func importCatalog() throws(Failure) {
    let pages = ImportedPages(reading(of: CatalogFile.self).pages())
    defer { pages.close() }
    var entries: [CatalogEntry] = []
    while let page = pages.next() {
      entries += page.map(\.item)
      guard entries.count <= FieldLimits.prices else {
        throw Failure(
          .badData,
          "the files have more than \(CountText.of(FieldLimits.prices, "price")), and nothing was imported; a catalogue is to "
            + "name each price of a product once")
      }
    }
    if let failure = pages.failure { throw failure }
    try judge(pages.bad)
    let store = try options.open()
    let changed = try withStoreFailures { () throws(StoreError) in try store.add(entries) }
    Standard.note(
      "imported \(CountText.of(entries.count, "price")), \(CountText.of(changed)) of them new or different\n")
  }
}
