import ArgumentParser
import Screen
import Subscriptions

enum TableFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json

  func print(_ json: some Encodable, _ page: (_ width: Int, _ glyphs: GlyphSet) -> String) throws {
    switch self {
    case .table: try Standard.print(page)
    case .json: try Standard.print(jsonText(json))
    }
  }
}

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, csv

  func print(
    _ json: some Encodable, csv: @autoclosure () throws -> String,
    table: (_ width: Int, _ glyphs: GlyphSet) -> String
  ) throws {
    switch self {
    case .table: try Standard.print(table)
    case .json: try Standard.print(jsonText(json))
    case .csv: try Standard.print(try csv(), terminator: "")
    }
  }
}

extension WindowChoice {
  init(option text: String) throws {
    guard let choice = WindowChoice(parsing: text) else {
      throw ValidationError(
        "pass a number of days from \(Self.days.lowerBound) to \(Self.days.upperBound), such as 28d, or all, month, "
          + "last-month, 2026-09, quarter, last-quarter, 2026-Q3, year, last-year or 2026")
    }
    self = choice
  }
}

struct ZoneOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time zone of tables: UTC, local or a name of the tz database. (default: the configuration's first, else UTC)",
      valueName: "zone"))
  var timeZone: String?

  func zone(_ configuration: ConfigurationFile) throws(Failure) -> Zone {
    guard let timeZone else { return configuration.zones.all.first ?? .utc }
    guard let zone = TimeZones.named(timeZone) else {
      throw Failure(
        .usage,
        "this machine has no time zone \(printable(timeZone)); pass one such as Europe/Berlin, or UTC")
    }
    return zone
  }
}
