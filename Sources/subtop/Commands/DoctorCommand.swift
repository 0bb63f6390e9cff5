import ArgumentParser
import Subscriptions
import Sweep

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Check the configuration, secrets, store and sweeps, and say what to fix. Changes nothing.",
    discussion: """
      Prints one line per check: ok, warning or problem, and what to do. Exits with 0 if there is no problem, or else with the code \
      that other commands have for the first problem.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Flag(
    help: "Also check that the App Store answers and accepts the key for reports, and compare the clocks.")
  var online = false

  @Option(help: "text or json.")
  var format = Format.text

  @OptionGroup var location: StoreLocation
  @OptionGroup var appStore: AppStoreOptions

  func run() throws {
    let findings = all(at: SystemClock.now)
    switch format {
    case .text:
      for line in findings.lines { try Standard.print(line.harmless(in: Standard.glyphs)) }
    case .json:
      let members: [String: any Encodable] = [
        "version": ProgramVersion.text, "problems": findings.count(.problem),
        "warnings": findings.count(.warning), "checks": findings,
      ]
      try Standard.print(jsonText(JSONObject(members: members)))
    }
    guard let code = findings.lazy.compactMap(\.code).first else { return }
    // The printed findings replace a message.
    throw Failure(code, "")
  }

  private func all(at now: Instant) -> [Finding] {
    let (configuration, finding) = ConfigurationFindings.read(location.configurationFile.config)
    let store = StoreFindings(
      location, policy: configuration?.duePolicy ?? .standard, reporting: configuration?.reportingCurrency,
      at: now)
    var findings = [finding]
    if let configuration {
      findings +=
        ConfigurationFindings.named(in: configuration, appStore)
        + SecretFindings.of(configuration, store.contents, online: online)
        + SharedFindings.of(configuration, online: online, at: now)
    }
    findings += store.findings
    guard online, let configuration, let options = try? appStore.sweepOptions(configuration) else {
      return findings
    }
    return findings
      + OnlineFindings(
        options, asksServerAPI: configuration.hasKeys,
        asksVerifyReceipt: !configuration.hasKeys || configuration.hasSecrets
      ).findings
  }
}
