import ArgumentParser
import Dashboard
import Intake
import ReceiptStore
import Subscriptions
import Sweep

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Fetch Apple's reports from App Store Connect, for subtop reconcile.",
    discussion: """
      Fetches the daily Sales Summary, Subscription, Subscription Event and Subscriber reports, and the Finance Detail reports of fiscal \
      months that ended in these days. Reports in the store are not fetched again, except those of the last week, which Apple may still \
      change. Each report is stored as it arrives, so the next run continues where one was interrupted.

      The key that it needs: subtop help reconcile
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case appleReports = "apple-reports"
  }

  @Argument(help: "apple-reports.") var kind: Kind

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Days to go back, 1 to 365. (default: 30)", valueName: "n"),
    transform: WrittenNumber.whole(1...365))
  var days = 30

  @OptionGroup var options: StoreOptions

  func run() throws {
    let configuration = try options.configuration()
    let download = try configuration.reportsDownload()
    let interruption = Interruption.ending(saying: "the fetch was interrupted; what was fetched is kept")
    defer { interruption.end() }
    let store = try options.openForWriting(configuration)
    try ReportFetch(download, to: store, at: SystemClock.now).run(days: days)
  }
}

/// Fetches the reports that a store lacks and those of the last week, with one commit for each report.
final class ReportFetch {
  private enum Outcome: String, CaseIterable {
    case fetched, unchanged, restated
    case noSales = "without sales"
    case notYetAvailable = "not available yet"
    case pastRetention = "past retention"
    case refused, unreadable
  }

  private let download: AppleReportsDownload
  private let now: Instant
  private let store: ReceiptStore
  private var counts: [Outcome: Int] = [:]
  private var remarks: [LineRemark: Int] = [:]

  /// Number of days whose reports are fetched again, because Apple may still change them.
  private static let unsettledDays = 7

  init(_ download: AppleReportsDownload, to store: ReceiptStore, at now: Instant) {
    (self.download, self.store, self.now) = (download, store, now)
  }

  func run(days: Int) throws {
    let wanted = try wanted(days: days)
    let line = ProgressLine()
    // If a report is past retention or refused, so is every older report of its kind.
    var over: [AppleReportKind: Outcome] = [:]
    var failure: (any Error)?
    defer { note() }
    defer { line.clear() }
    for (place, report) in wanted.enumerated() {
      if line.isTerminal { line.show(report.name, share: Double(place) / Double(wanted.count)) }
      do {
        let outcome = try over[report.kind] ?? fetch(report)
        counts[outcome, default: 0] += 1
        if outcome == .pastRetention { over[report.kind] = outcome }
      } catch let problem as AppleReportsProblem {
        failure = problem
        guard case .refused = problem else { break }
        over[report.kind] = .refused
        counts[.refused, default: 0] += 1
      } catch let problem as Failure where problem.code == .badData {
        counts[.unreadable, default: 0] += 1
        failure = failure ?? Failure(.badData, problem.message + "; the next run fetches it again")
      }
    }
    if let failure { throw failure }
  }

  private func note() {
    let words = Outcome.allCases.compactMap { outcome in
      counts[outcome].map { "\(CountText.of($0)) \(outcome.rawValue)" }
    }
    if !words.isEmpty { Standard.note("Apple's reports: \(words.joined(separator: ", "))\n") }
    for line in ImportRemarks(remarks).lines { Standard.note(line + "\n") }
  }

  private func wanted(days: Int) throws -> [AppleReport] {
    let vendor = download.vendor
    var known: Set<AppleReport> = []
    for var report in try store.appleReports() where [vendor, ""].contains(report.vendor) {
      (report.vendor, report.region) = (vendor, report.kind == .financeDetail ? Self.region : "")
      known.insert(report)
    }
    let last = PacificTime.day(of: now).daysSince1970 - 1
    return (0..<days).flatMap { age in
      let day = CivilDate(daysSince1970: last - age)
      let daily = AppleReportsDownload.daily.map {
        AppleReport(kind: $0, vendor: vendor, from: day, through: day)
      }
      let month = CivilMonth(fiscalEndingOn: day).fiscalDays
      let finance = AppleReport(
        kind: .financeDetail, vendor: vendor, region: Self.region, from: month.lowerBound, through: day)
      return (daily + (month.upperBound == day ? [finance] : [])).filter {
        age < Self.unsettledDays || !known.contains($0)
      }
    }
  }

  /// Region of finance reports about all countries.
  private static let region = "Z1"

  private func fetch(_ report: AppleReport) throws -> Outcome {
    switch try download.answer(report) {
    case .report(let file): return try keep(file, as: report)
    // A missing sales report means zero sales; other kinds can be missing for other reasons.
    case .noSales where report.kind == .sales:
      var pages: [ImportPage<AppleReportItem>] = [
        .items([.begin(report, needsDay: false), .end(lines: 0, digest: 0)]), .end,
      ]
      return try add { pages.removeFirst() }
    case .noSales: return .noSales
    case .notYetAvailable: return .notYetAvailable
    case .pastRetention: return .pastRetention
    }
  }

  private func keep(_ file: [UInt8], as report: AppleReport) throws -> Outcome {
    let source = ImportSource(file, named: report.name)
    let reading = ImportReading<AppleReportsFile>([source], skippingInvalid: false) { item throws(Failure) in
      guard case .begin(var read, let needsDay) = item else { return nil }
      if needsDay { (read.from, read.through) = (report.from, report.through) }
      // The days of a fiscal month are known only from the file.
      guard read.kind == report.kind, read.kind.isFinance || read.through == report.through else {
        return "Apple sent the \(read.name) instead"
      }
      (read.vendor, read.region) = (report.vendor, report.region)
      item = .begin(read, needsDay: false)
      return nil
    }
    reading.start()
    let outcome = try add {
      if let page = reading.next() { return .items(page.map(\.item)) }
      return reading.failure != nil || reading.bad.count > 0 ? .abandon : .end
    }
    remarks.merge(reading.remarks, uniquingKeysWith: +)
    if let failure = reading.failure { throw failure }
    if let line = reading.bad.named.first { throw Failure(.badData, line) }
    return outcome
  }

  private func add(_ next: () -> ImportPage<AppleReportItem>) throws -> Outcome {
    let summary = try store.addAppleReports(pages: next, at: now, hash: ImportCommand.hash)
    return summary.replaced > 0 ? .restated : summary.unchanged > 0 ? .unchanged : .fetched
  }
}

extension AppleReport {
  fileprivate var name: String {
    "\(kind.title) report of \(kind.isFinance ? fiscalMonth : through.description)"
  }
}
