import Dashboard
import ReceiptStore
import Sharing
import Subscriptions

/// Checks of a team's server: its settings and libpq, and online the server, its tables and the age of each part.
enum SharedFindings {
  private static let check = "team"
  /// Age of a part before a warning, in milliseconds.
  private static let longestLag = 2 * Milliseconds.hour

  static func of(_ configuration: ConfigurationFile, online: Bool, at now: Instant) -> [Finding] {
    guard configuration.shared != nil else { return [] }
    do {
      let server = try configuration.sharedServer()
      let rows = SharedRows(server)
      try rows.check()
      guard online else {
        return [.ok(check, "[shared] names \(printable(rows.name)), and libpq is installed")]
      }
      let probe = try rows.probe()
      let connected = Finding.ok(
        check,
        "PostgreSQL \(probe.version / 10_000) answers\(probe.usesTLS ? " over a verified connection" : "")")
      return [connected] + parts(try rows.parts(), of: server, at: now)
    } catch {
      return [.problem(check, error)]
    }
  }

  private static func parts(_ parts: [SharedPart], of server: SharedServer, at now: Instant) -> [Finding] {
    let name = printable(server.schema)
    guard !parts.isEmpty else {
      return [.warning(check, "nothing has been published to \(name) yet; run `subtop publish`")]
    }
    if let conflict = SharedState(seq: 0, parts: parts, place: "").conflict {
      return [.problem(check, .failed, conflict)]
    }
    let late = parts.filter { !$0.isReady || now - $0.asOf > longestLag }
    guard late.isEmpty else {
      return late.map { part in
        let age = part.isReady ? "was published \(AgeText.of(now - part.asOf)) ago" : "is not complete yet"
        return .warning(
          check,
          "the part \(printable(part.name)) of \(name) \(age); check subtop-publish.service on its machine")
      }
    }
    return [.ok(check, "\(name) has \(CountText.of(parts.count, "part")), all published within two hours")]
  }
}
