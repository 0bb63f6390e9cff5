import ArgumentParser
import Screen
import Subscriptions

enum TableFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json

  /// Prints JSON, or a page laid out for the terminal.
  func print(_ json: some Encodable, _ page: (_ width: Int, _ glyphs: GlyphSet) -> String) throws {
    switch self {
    case .table: try Standard.print(page)
    case .json: try Standard.print(jsonText(json))
    }
  }
}

/// Length of a window: `28d`, `28`, or `all`.
struct WindowDays {
  /// Number of days; `nil` for everything.
  let days: Int?

  /// Permitted days. A hundred years are longer than the App Store has existed.
  static let limits = 1...36_500

  init(option text: String) throws {
    if text == "all" {
      days = nil
      return
    }
    guard let days = Int(text.hasSuffix("d") ? text.dropLast() : text[...]), Self.limits.contains(days) else {
      throw ValidationError(
        "pass a number of days from \(Self.limits.lowerBound) to \(Self.limits.upperBound), such as 28 or 28d, or all"
      )
    }
    self.days = days
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
