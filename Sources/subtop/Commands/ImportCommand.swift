import ArgumentParser
import Dashboard

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Read receipts, kept answers, signed transactions, server notifications or a price catalogue into the store.",
    discussion: """
      A bad line imports nothing, unless --skip-invalid is given. Importing the same thing twice changes nothing.

      The formats: subtop help formats
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case receipts, responses, transactions, notifications, catalog
  }

  @Argument(
    help:
      "receipts, responses (verifyReceipt answers), transactions (signed), notifications or catalog (prices)."
  )
  var kind: Kind

  @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Leave bad lines out and import the rest.")
  var skipInvalid = false

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard !files.contains("") else {
      throw ValidationError("the path of a file is empty; pass a file, or - for standard input")
    }
  }

  func run() throws {
    switch kind {
    case .receipts: try importReceipts()
    case .responses: try importResponses()
    case .transactions: try importTransactions()
    case .notifications: try importNotifications()
    case .catalog: try importCatalog()
    }
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
