import Dashboard
import ReceiptStore
import Sharing
import Subscriptions

/// Checks for a team's server: settings and libpq and, if `online`, connection, rights and publication times.
enum SharedFindings {
  private static let check = "team"
  /// Milliseconds after a store's last publication until doctor warns.
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
      let others =
        probe.others.isEmpty
        ? []
        : [
          Finding.warning(
            check,
            "the server also has \(probe.others.map { printable($0) }.joined(separator: ", ")), of other versions; drop those that no machine uses any more"
          )
        ]
      let parts = try rows.parts()
      return [connected] + others + rights(try rows.access()) + Self.parts(parts, of: server, at: now)
    } catch {
      return [.problem(check, error)]
    }
  }

  private static func rights(_ access: SharedAccess) -> [Finding] {
    let twice = access.claimedTwice
    let conflicts =
      twice > 0
      ? [
        Finding.warning(
          check,
          "\(CountText.of(twice, "subscription history is", "subscription histories are")) published by several stores, and counted more than once; "
            + "`subtop publish --remove PART` removes one of them from the server")
      ] : []
    return conflicts + [
      .ok(
        check,
        access.mayPublish ? "this database user may publish and read" : "this database user may only read")
    ]
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
        let state =
          part.isReady
          ? "was last published to \(name) \(AgeText.of(now - part.asOf)) ago (limit: \(AgeText.of(longestLag)))"
          : "has not been published completely to \(name) yet"
        return .warning(
          check,
          "the store \(printable(part.name)) \(state); check subtop-publish.service on the machine of that store"
        )
      }
    }
    return [.ok(check, "\(name) has \(CountText.of(parts.count, "part")), all published within two hours")]
  }
}
