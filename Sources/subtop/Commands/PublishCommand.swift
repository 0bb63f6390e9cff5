import ArgumentParser
import Dashboard
import Glibc
import ReceiptStore
import Sharing
import Subscriptions

struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish the store's changes to a team's PostgreSQL server, for colleagues and other programs.",
    discussion: """
      Only changes are sent, in one transaction: a run that is interrupted publishes nothing, and the next one continues. \
      Receipts, signed originals and secrets are never published.

      From an empty server to a colleague's dashboard: subtop help team
      """)

  @Flag(name: .customLong("init"), help: "Create the tables, and print the grants for an administrator.")
  var makesTables = false

  @Flag(help: "Publish everything again, and replace what another store published under the same name.")
  var all = false

  @Option(help: ArgumentHelp("Remove a part and everything that it has published.", valueName: "part"))
  var remove: String?

  @Flag(help: "Show what each store (part) has published, without publishing.")
  var status = false

  @Flag(help: "Publish, then compare everything on the server with the store.")
  var check = false

  @Option(help: ArgumentHelp("Publish repeatedly, with this pause: 30s, 1m, 1h.", valueName: "pause"))
  var every: String?

  @Option(help: "Format of --status: table or json.")
  var format = TableFormat.table

  @OptionGroup var location: StoreLocation

  func validate() throws {
    let chosen = [makesTables, all, status, check, remove != nil].count { $0 }
    guard chosen <= 1 else {
      throw ValidationError("pass one of --init, --all, --remove, --status and --check.")
    }
    guard let every else { return }
    guard let pause = DurationText.milliseconds(every), pause >= Milliseconds.second else {
      throw ValidationError("--every needs a pause of at least a second, such as 30s or 1m.")
    }
    guard chosen == 0 else { throw ValidationError("--every cannot be combined with other options.") }
  }

  func run() throws {
    let configuration = try ConfigurationFile(path: location.configurationFile.config)
    let server = try configuration.sharedServer()
    if status {
      let parts = try SharedRows(server).parts()
      return try format.print(SharedStatus(server, parts)) { _, _ in SharedStatus(server, parts).text }
    }
    if let remove {
      try Publisher.remove(part: remove, from: server)
      return Standard.note("Removed the part \(printable(remove)) from \(printable(server.schema)).\n")
    }
    let store = try location.open(.existing)
    let publisher = Publisher(server, of: store) { SystemClock.now }
    if makesTables {
      let grants = try publisher.makeTables()
      let place = "the tables are ready; to grant roles, a database administrator runs:"
      Standard.note("\(place)\n")
      return try Standard.print(grants)
    }
    let interruption = Interruption.ending(saying: "publishing was interrupted; the next run continues")
    defer { interruption.end() }
    try publish(publisher)
    if check { try compare(server, store) }
    guard let pause = every.flatMap(DurationText.milliseconds) else { return }
    while true {
      var time = timespec(tv_sec: Int(pause / 1000), tv_nsec: Int(pause % 1000) * 1_000_000)
      nanosleep(&time, nil)
      try publishAgain(publisher)
    }
  }

  private func publish(_ publisher: Publisher) throws {
    let start = SystemClock.uptime
    let published = try showingProgress("publishing") { progress in
      publisher.progress = progress
      return try publisher.publish(all: all)
    }
    guard Standard.isErrorTerminal || published.chains > 0 else { return }
    let seconds = max(0.001, Double(SystemClock.uptime - start) / 1000)
    let rate = CountText.of(Int(Double(published.transactions) / seconds))
    Standard.note(
      "Published \(CountText.of(published.chains, "subscription history", "subscription histories")), "
        + "\(CountText.of(published.changedChains)) of them changed, in \(AgeText.of(SystemClock.uptime - start))"
        + (published.transactions >= 10_000 ? " (\(rate) transactions per second)" : "") + ".\n")
  }

  /// Publishes; if the server is unreachable, only prints a message, because the journal keeps the changes.
  private func publishAgain(_ publisher: Publisher) throws {
    do {
      try publish(publisher)
    } catch let error as PostgresError where error.kind == .unreachable {
      Standard.complain("\(error.description); trying again in \(every ?? "a while")")
    }
  }

  private func compare(_ server: SharedServer, _ store: ReceiptStore) throws {
    let differences = try PublicationCheck(server, of: store).differences()
    guard differences.isEmpty else {
      throw Failure(
        .failed,
        "the published rows differ from the store: \(differences.joined(separator: "; ")); run `subtop publish --all` to publish everything again, or `subtop publish --remove PART` to remove a part"
      )
    }
    try Standard.print("The published subscription histories and sums agree with the store.")
  }
}

/// Status of a team's server, for `publish --status` and `status --shared`; each published store is a part.
struct SharedStatus: Encodable {
  struct Part: Encodable {
    let name: String
    let state: String
    let asOfMs: Instant
    let receipts: Int
    let lines: Int
    let transactions: Int
    let dueNow: Int
    let dead: Int
    let reportingCurrency: CurrencyCode?
  }

  let schema: String
  let parts: [Part]

  init(_ server: SharedServer, _ parts: [SharedPart]) {
    schema = server.schema
    self.parts = parts.map { part in
      Part(
        name: part.name, state: part.isReady ? "ready" : "filling", asOfMs: part.asOf,
        receipts: part.numbers.receipts, lines: part.numbers.lines, transactions: part.numbers.transactions,
        dueNow: part.numbers.due, dead: part.numbers.dead, reportingCurrency: part.numbers.currency)
    }
  }

  var text: String {
    guard !parts.isEmpty else { return "Nothing has been published to \(schema) yet." }
    return parts.map { part in
      guard part.state == "ready" else {
        return "\(printable(part.name)): being filled"
      }
      let counts = [
        CountText.of(part.receipts, "receipt"), CountText.of(part.lines, "subscription"),
        CountText.of(part.transactions, "transaction"), "\(CountText.of(part.dueNow)) due",
        "\(CountText.of(part.dead)) given up",
      ]
      return "\(printable(part.name)): as of \(part.asOfMs.minuteText) UTC, \(counts.joined(separator: ", "))"
    }.joined(separator: "\n")
  }
}
