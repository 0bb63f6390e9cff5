import ArgumentParser
import FakeAppStore
import Glibc
import Subscriptions

struct AppleReports: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apple-reports",
    abstract: "Write Apple's reports to files, for `subtop import apple-reports`.",
    discussion: "Pass the same --subscribers, --seed and --start to `receipts`.")

  @OptionGroup var population: PopulationOptions

  @Option(
    parsing: .unconditional, help: "Number of days before the start of the clock. (default: 30)",
    transform: WrittenNumber.whole(1...1100))
  var days = 30

  @Option(help: "Directory of the files; it is created if necessary.")
  var output: String

  func run() throws {
    let now = population.clock(speed: 0).now
    let last = FakeReports.newestDay(at: now)
    let first = CivilDate(daysSince1970: last.daysSince1970 - days + 1)
    let reports = FakeReports(of: population.people(at: now), days: first...last)
    guard mkdir(output, 0o755) == 0 || errno == EEXIST else {
      throw Output.Problem(
        description:
          "cannot create \(printable(output)): \(String(cString: strerror(errno))); create its parent first")
    }
    for file in reports.files { try Output.write(file.text, to: "\(output)/\(file.name)", mode: 0o644) }
  }
}
