import ArgumentParser
import Dashboard
import Intake
import ReceiptStore
import Subscriptions

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read receipts, kept answers, server notifications or a price catalogue into the store.",
    discussion: """
      receipts       JSON Lines {"receipt-data": "<base64>", "app_user_id": "…", "bundle_id": "…"}, or one bare base64 receipt
      responses      verifyReceipt answers kept from elsewhere, JSON Lines or one JSON value a file
      notifications  App Store Server Notifications version 1, JSON Lines or one JSON value a file; each has to bring the shared secret
      catalog        CSV: \(CatalogFile.header.joined(separator: ","))

      A bad line imports nothing, unless --skip-invalid is given. Importing the same thing twice changes nothing.
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case receipts, responses, notifications, catalog
  }

  @Argument(help: "receipts, responses, notifications or catalog.")
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
    case .notifications: try importNotifications()
    case .catalog: try importCatalog()
    }
  }

  private func importNotifications() throws {
    let configuration = try options.configuration()
    let secrets = try Secrets.load(configuration)
    let contents = try ImportedFiles(files, NotificationsFile.read).vouched(by: secrets, configuration)
    try judge(contents.badLines)
    let store = try options.open(policy: configuration.duePolicy)
    let summary = try withStoreFailures { () throws(StoreError) in
      try store.add(contents.items, at: SystemClock.now, leavingOutRefused: skipInvalid)
    }
    var refused = BadLines()
    for refusal in summary.refused { refused.add(contents.places[refusal.index], refusal.reason) }
    try judge(refused)
    Standard.note(
      "imported \(CountText.of(summary.notifications - summary.refused.count, "notification")), "
        + "\(CountText.of(summary.new)) of them new: "
        + "\(CountText.of(summary.newTransactions, "new transaction")), "
        + "\(CountText.of(summary.due, "receipt")) due at once\n")
  }

  private func importCatalog() throws {
    let entries = try read(CatalogFile.read).items
    let store = try options.open()
    let changed = try withStoreFailures { () throws(StoreError) in try store.add(entries) }
    Standard.note(
      "imported \(CountText.of(entries.count, "price")), \(CountText.of(changed)) of them new or different\n")
  }

  /// Everything of all files, or a failure that names every bad line.
  private func read<Item>(_ read: ([UInt8]) -> Reading<Item>) throws(Failure) -> ImportedFiles<Item> {
    let contents = try ImportedFiles(files, read)
    try judge(contents.badLines)
    return contents
  }

  /// Names bad lines, which fail the import unless they are to be left out.
  func judge(_ bad: BadLines) throws(Failure) {
    guard bad.count > 0 else { return }
    for line in bad.named { Standard.complain(line) }
    let count = CountText.of(bad.count, "bad line")
    guard skipInvalid else {
      throw Failure(
        .badData, "\(count), so nothing was imported; mend them, or pass --skip-invalid to import the rest")
    }
    Standard.complain("left out \(count)")
  }
}
