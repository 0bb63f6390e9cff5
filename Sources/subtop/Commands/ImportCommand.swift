import AppStore
import ArgumentParser
import Dashboard
import Intake
import Subscriptions

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Read receipts, ids, kept answers, signed transactions, server notifications, prices or exchange rates into the store.",
    discussion: """
      A bad line imports nothing, unless --skip-invalid is given. Importing the same thing twice changes nothing.

      The formats: subtop help formats

      Exports of RevenueCat, Adapty and Qonversion are ids: subtop help revenuecat, adapty, qonversion
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case receipts, ids, responses, transactions, notifications, catalog, rates
  }

  @Argument(
    help:
      "receipts, ids (of customers), responses (verifyReceipt answers), transactions (signed), notifications, catalog (prices) or rates (of currencies)."
  )
  var kind: Kind

  @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Leave bad lines out and import the rest.")
  var skipInvalid = false

  @Option(
    help: ArgumentHelp("Of receipts and ids: the app of those that name none.", valueName: "bundle id"))
  var bundle: String?

  @OptionGroup var options: StoreOptions

  func validate() throws {
    for file in files {
      try BlankValue.refuse(file, "the path of a file", "pass a file, or - for standard input")
      try UnexpandedTilde.refuse(file, "the file's path")
    }
    guard files.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("standard input is named twice, and can be read once; pass - once")
    }
    try BlankValue.refuse(bundle, "the app of --bundle", "pass its bundle id, or leave --bundle out")
    guard let bundle else { return }
    guard kind == .receipts || kind == .ids else {
      throw ValidationError("--bundle is for receipts and ids; of \(kind) each names its own app, or none")
    }
    guard bundle.utf8.count <= FieldLimits.name, bundle.allSatisfy(Self.isOfBundleID) else {
      throw ValidationError("--bundle is no bundle id; pass one, such as com.example.app")
    }
  }

  /// Those that App Store Connect takes, and the underscore of old ones.
  private static func isOfBundleID(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
  }

  func run() throws {
    switch kind {
    case .receipts: try importReceipts(ReceiptsFile.self, called: "receipt")
    case .ids: try importReceipts(IDsFile.self, called: "id")
    case .responses: try importResponses()
    case .transactions: try importTransactions()
    case .notifications: try importNotifications()
    case .catalog: try importCatalog()
    case .rates: try importRates()
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
