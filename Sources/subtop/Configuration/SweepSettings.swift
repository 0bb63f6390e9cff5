import Files
import Subscriptions
import Sweep

/// The table `[sweep]`: what it leaves out is as `SweepOptions` has it.
struct SweepSettings: Sendable {
  var concurrency = 16
  private var rate: Double?
  private var tries: Int?
  private var fullAnswerEvery: Int64?
  private var lease: Int64?
  private var certificates: CertificateBundle?
  private var deadAfterTries: Int?
  private var deadAfter: Int64?
  private var believeAfter: Int64?
  private var timeLimit: Int64?

  private static let keys: Set<String> = [
    "concurrency", "rate", "tries", "full_answer_every", "lease", "ca_file", "dead_after_tries", "dead_after",
    "believe_after",
    "time_limit",
  ]

  init() {}

  init(_ table: ConfigurationTable) throws(Failure) {
    try table.refuseOthers(than: Self.keys)
    concurrency = try table.count("concurrency", 1...1000) ?? 16
    rate = try table.number("rate", 0.01...100_000)
    tries = try table.count("tries", 1...10)
    fullAnswerEvery = try table.duration("full_answer_every", orNone: true)
    lease = try table.duration("lease")
    if let lease, !(Milliseconds.second...Milliseconds.hour).contains(lease) {
      throw table.wrong("lease", "a span of time from \"1s\" to \"1h\"")
    }
    if let path = try table.text("ca_file") {
      do throws(FileProblem) {
        certificates = CertificateBundle(pem: try TrustedFile(path, as: .certificates).bytes())
      } catch {
        throw Failure(error, reading: "sweep.ca_file of the configuration file \(table.path)")
      }
    }
    deadAfterTries = try table.count("dead_after_tries", 2...1000)
    deadAfter = try table.duration("dead_after", orNone: true)
    believeAfter = try table.duration("believe_after", orNone: true)
    timeLimit = try table.duration("time_limit")
  }

  func apply(to options: inout SweepOptions) {
    options.maximumRate = rate
    options.tries = tries ?? options.tries
    options.fullAnswerEvery = fullAnswerEvery ?? options.fullAnswerEvery
    options.lease = lease ?? options.lease
    options.limits.certificates = certificates
    options.patience.tries = deadAfterTries ?? options.patience.tries
    options.patience.span = deadAfter ?? options.patience.span
    options.patience.verdictSpan = believeAfter ?? options.patience.verdictSpan
    if let timeLimit { options.limits.total = Int(clamping: timeLimit) }
  }
}
