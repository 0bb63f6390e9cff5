import AppStore
import ArgumentParser
import Dashboard
import Intake
import ReceiptStore
import Subscriptions

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Import receipts, ids, stored answers, signed transactions, server notifications, prices, exchange rates or Apple's reports.",
    discussion: """
      If a line is bad, nothing is imported, unless --skip-invalid is given. Importing a file twice changes nothing.

      File formats: subtop help formats

      Exports of RevenueCat, Adapty and Qonversion are imported as ids: subtop help revenuecat, adapty, qonversion
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case receipts, ids, responses, transactions, notifications, catalog, rates
    case appleReports = "apple-reports"
  }

  @Argument(
    help:
      "receipts, ids (of customers), responses (verifyReceipt answers), transactions (signed), notifications, catalog (prices), rates (of currencies) or apple-reports (of App Store Connect, also folders)."
  )
  var kind: Kind

  @Argument(help: ArgumentHelp("Files to import; - is standard input.", valueName: "file"))
  var files: [String]

  @Flag(help: "Skip bad lines and import the rest.")
  var skipInvalid = false

  @Option(
    help: ArgumentHelp(
      "For receipts and ids: the app of lines that do not name one.", valueName: "bundle id"))
  var bundle: String?

  @Option(
    help: ArgumentHelp(
      "For receipts and ids: divide the customers into equal parts, and import only one part, such as 3/16.",
      valueName: "part"))
  var part: PartShare?

  @Option(
    help: ArgumentHelp(
      "For apple-reports: the day of reports that have no day in the file or its name, such as 2026-02-18.",
      valueName: "day"), transform: WrittenDay.read)
  var reportDate: CivilDate?

  @Option(
    help: ArgumentHelp(
      "For apple-reports: the vendor number of reports that have none in the file's name.",
      valueName: "number"))
  var vendor: String?

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard files.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("standard input can be read only once; pass - once")
    }
    try validateReports()
    guard part == nil || kind == .receipts || kind == .ids else {
      throw ValidationError("--part is only for receipts and ids, not for \(kind.rawValue)")
    }
    guard let bundle else { return }
    guard kind == .receipts || kind == .ids else {
      throw ValidationError("--bundle is only for receipts and ids, not for \(kind.rawValue)")
    }
    guard !bundle.isEmpty, bundle.utf8.count <= FieldLimits.name, bundle.allSatisfy(Self.isOfBundleID) else {
      throw ValidationError("--bundle is not a bundle id; pass one, such as com.example.app")
    }
  }

  /// Whether a bundle id may contain this character; Apple allows an underscore only in old ids.
  private static func isOfBundleID(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
  }

  func run() throws {
    let interruption = Interruption.ending(
      saying: "the import was interrupted; run it again to import the rest")
    defer { interruption.end() }
    switch kind {
    case .receipts: try importReceipts(ReceiptsFile.self, called: "receipt")
    case .ids: try importReceipts(IDsFile.self, called: "id")
    case .responses: try importResponses()
    case .transactions: try importTransactions()
    case .notifications: try importNotifications()
    case .catalog: try importCatalog()
    case .rates: try importRates()
    case .appleReports: try importAppleReports()
    }
  }

  func judge(_ bad: BadLines) throws {
    guard bad.count > 0 else { return }
    for line in bad.named { Standard.complain(line) }
    let count = CountText.of(bad.count, "bad line")
    guard skipInvalid else {
      let remedy =
        kind == .appleReports
        ? "download the file again, or leave it out" : "fix them, or pass --skip-invalid to import the rest"
      throw Failure(.badData, "\(count), so nothing was imported; \(remedy)")
    }
    Standard.complain("skipped \(count)")
  }

  func importTransactions() throws {
    let configuration = try options.configuration()
    let verifier = try configuration.signatureVerifier()
    let apps = configuration.ownApps
    let reading = reading(of: TransactionsFile.self) { kept throws(Failure) in
      do throws(SignedDataProblem) {
        _ = try kept.verified(by: verifier, for: apps)
        return nil
      } catch {
        return printable("\(error)", atMost: 400)
      }
    }
    try importAnswers(reading, called: "signed row", policy: configuration.duePolicy) {
      try? $0.verified(by: verifier, for: apps)
    }
  }

  /// Imports prices, whose number is limited, because the whole catalog is kept in memory.
  func importCatalog() throws {
    _ = try options.configuration()
    let entries = try all(
      of: reading(of: CatalogFile.self), atMost: FieldLimits.prices, called: "price", { [$0] })
    let store = try options.open()
    let changed = try store.add(entries)
    Standard.note(
      "imported \(CountText.of(entries.count, "price")), \(CountText.of(changed)) of them new or different\n")
  }

  func importNotifications() throws {
    let configuration = try options.configuration()
    let checks = try NotificationChecks(configuration)
    let reading = reading(of: NotificationsFile.self) { line throws(Failure) in
      switch try checks.judge(line.body) {
      case .taken(let notification):
        line.checked = notification
        return nil
      case .refused(let reason), .untrusted(let reason): return reason
      }
    }
    let (summary, refused) = try importWhole(reading, policy: configuration.duePolicy, { $0.checked }) {
      store, next in
      try store.add(notifications: next, at: SystemClock.now, leavingOutRefused: skipInvalid)
    }
    let imported = CountText.of(summary.items - refused, "notification")
    let news = CountText.of(summary.newTransactions, "new transaction")
    let due = summary.due > 0 ? ", \(CountText.of(summary.due, "receipt")) due now" : ""
    let changes = "\(CountText.of(summary.changed)) of them new: \(news)\(due)"
    Standard.note("imported \(imported), \(summary.changed > 0 ? changes : "none of them new")\n")
  }

  func importRates() throws {
    let reporting = try options.configuration().reportingCurrency
    let reading = reading(of: RatesFile.self) { line throws(Failure) in
      guard line.base == nil else { return nil }
      guard let reporting else {
        throw Failure(
          .configuration,
          "cannot import a file with the columns date,currency,rate: its rates are relative to reporting_currency, which is not configured; set it (`subtop "
            + "help configuration`), or import the European Central Bank's eurofxref-hist.csv")
      }
      let isOfItself = line.quotes.contains { $0.currency == reporting && $0.picos != PublishedRate.one }
      return isOfItself
        ? "the rate of \(reporting), the configured reporting_currency itself, is not 1" : nil
    }
    // The file's base takes precedence; a line without a base has been refused if no currency is configured.
    let rates = try all(of: reading, atMost: FieldLimits.rates, called: "rate") {
      $0.rates(reporting: reporting ?? RatesLine.euro)
    }
    let store = try options.open()
    let changed = try showingProgress(
      "converting amounts to \(reporting.map { "\($0)" } ?? "the reporting currency")"
    ) {
      try store.add(rates.withoutRepeatedGaps, reporting: reporting, progress: $0)
    }
    Standard.note(Self.sentence(rates, changed: changed))
    try advise(reporting, store)
  }

  private static func sentence(_ rates: [PublishedRate], changed: Int) -> String {
    let days = Set(rates.map(\.day))
    let currencies = Set(rates.filter { $0.picos != nil }.map(\.currency)).count
    let bases = Set(rates.map(\.base.rawValue)).sorted().joined(separator: ", ")
    var words = "imported rates of \(CountText.of(currencies, "currency", "currencies"))"
    if let first = days.min(), let last = days.max() {
      words += " against \(bases) for \(CountText.of(days.count, "day"))"
      words += " from \(CivilDate(daysSince1970: first).text) to \(CivilDate(daysSince1970: last).text)"
    }
    return words + "; \(CountText.of(changed, "rate")) added or changed\n"
  }

  private func advise(_ configured: CurrencyCode?, _ store: ReceiptStore) throws {
    guard let configured else {
      return Standard.complain(
        "no reporting_currency is configured, so no amounts are converted; set it, and run `subtop status --rebuild`"
      )
    }
    let isServed = try store.hasRates(of: configured)
    guard !isServed else { return }
    Standard.complain(RatesText.missing(configured))
  }
}

enum RatesText {
  static func missing(_ configured: CurrencyCode) -> String {
    "the store has no rate of \(configured), the configured reporting_currency: amounts in other currencies are not converted"
  }
}

extension CivilDate {
  fileprivate var text: String { Instant(startOf: self).dateText }
}
