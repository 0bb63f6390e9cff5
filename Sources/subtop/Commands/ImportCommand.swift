import ArgumentParser
import Dashboard
import Intake
import ReceiptStore
import Subscriptions

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read receipts, kept answers or a price catalogue into the store.",
    discussion: """
      receipts   JSON Lines {"receipt-data": "<base64>", "app_user_id": "…", "bundle_id": "…"}, or one bare base64 receipt
      responses  verifyReceipt answers kept from elsewhere, JSON Lines or one JSON value a file
      catalog    CSV: \(CatalogFile.header.joined(separator: ","))

      A bad line imports nothing, unless --skip-invalid is given. Importing the same thing twice changes nothing.
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case receipts, responses, catalog
  }

  @Argument(help: "receipts, responses or catalog.")
  var kind: Kind

  @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Leave bad lines out and import the rest.")
  var skipInvalid = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    switch kind {
    case .receipts: try importReceipts()
    case .responses: try importResponses()
    case .catalog: try importCatalog()
    }
  }

  private func importReceipts() throws {
    let receipts = try items(ReceiptsFile.read)
    let store = try options.open()
    let new = try withStoreFailures { () throws(StoreError) in try store.add(receipts, at: SystemClock.now) }
    Standard.note(
      "imported \(CountText.of(receipts.count, "receipt")), \(CountText.of(new)) of them new; `subtop sweep` validates them\n"
    )
  }

  private func importResponses() throws {
    let answers = try items(ResponsesFile.read)
    let store = try options.open()
    let summary = try withStoreFailures { () throws(StoreError) in try store.add(answers, at: SystemClock.now)
    }
    Standard.note(
      "imported \(CountText.of(summary.answers - summary.refused.count, "answer")), \(CountText.of(summary.changed)) with news: "
        + "\(CountText.of(summary.newTransactions, "new transaction"))\n"
    )
    guard !summary.refused.isEmpty else { return }
    for reason in summary.refused.prefix(20) { Standard.complain(reason) }
    let count = CountText.of(summary.refused.count, "answer was", "answers were")
    guard skipInvalid else {
      throw Failure(.badData, "\(count) refused and changed nothing; the others are imported")
    }
    Standard.complain("\(count) left out")
  }

  private func importCatalog() throws {
    let entries = try items(CatalogFile.read)
    let store = try options.open()
    let changed = try withStoreFailures { () throws(StoreError) in try store.add(entries) }
    Standard.note(
      "imported \(CountText.of(entries.count, "price")), \(CountText.of(changed)) of them new or different\n")
  }

  /// Everything of all files, or a failure that names every bad line.
  private func items<Item>(_ read: ([UInt8]) -> Reading<Item>) throws(Failure) -> [Item] {
    var items: [Item] = []
    var bad: [String] = []
    for file in files {
      guard let bytes = InputFile.bytes(at: file) else {
        throw Failure(.noInput, "cannot read \(file): \(errorText())")
      }
      let reading = read(bytes)
      items += reading.items
      bad += reading.badLines.map { "\(file == "-" ? "standard input" : file), \($0)" }
    }
    guard !bad.isEmpty else { return items }
    for line in bad.prefix(20) { Standard.complain(line) }
    let count = CountText.of(bad.count, "bad line")
    guard skipInvalid else {
      throw Failure(
        .badData, "\(count), so nothing was imported; mend them, or pass --skip-invalid to import the rest")
    }
    Standard.complain("left out \(count)")
    return items
  }
}
