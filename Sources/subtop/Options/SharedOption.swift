import ArgumentParser
import Dashboard
import ReceiptStore
import Sharing
import Subscriptions

/// Option of commands that can read what a team has published.
struct SharedOption: ParsableArguments {
  @Flag(
    help: "Read what the team has published to the server in [shared], from any machine: subtop help team")
  var shared = false

  /// Opens the published rows; `nil` without the option.
  func open(_ configuration: ConfigurationFile, at: Instant?) throws -> ReceiptStore? {
    guard shared else { return nil }
    guard at == nil else {
      throw Failure(
        .usage,
        "a shared view has no history of what was known, so --at cannot be combined with --shared; ask the store itself"
      )
    }
    let rows = try SharedRows(configuration.sharedServer())
    try rows.check()
    return try rows.open()
  }
}

extension SharedState {
  /// Origin and age of the figures, in one line.
  var head: String {
    let late = self.late.map { "\(printable($0.name)) as of \($0.asOf.minuteText)" }
    return (["Shared: \(printable(place)), as of \((at + 1).minuteText) UTC"] + late).joined(separator: "; ")
  }
}
