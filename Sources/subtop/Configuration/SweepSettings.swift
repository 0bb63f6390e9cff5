import AppStore
import Files
import Subscriptions
import Sweep

/// The table `[sweep]`.
struct SweepSettings: Sendable {
  var options = SweepOptions()
  /// Where the certificates in `options` come from.
  private var certificateFile: String?

  static let keys: [ConfigurationKey<SweepSettings>] = [
    .count(
      "concurrency", \.options.concurrency, in: 1...1000,
      "Requests in flight at most, 1 to 1000; fewer while the App Store is slow."),
    .limit(
      "rate", \.options.maximumRate, in: 0.01...100_000,
      "Requests a second at most; without it there is no limit.",
      example: "20"),
    .count("tries", \.options.tries, in: 1...10, "Requests for one receipt within a sweep, 1 to 10."),
    .span(
      "full_answer_every", \.options.fullAnswerEvery, orNone: true,
      "How often the whole history is asked for. In between, exclude-old-transactions leaves out what is known; \"0s\" always asks for everything."
    ),
    .count(
      "dead_after_tries", \.options.giveUpPolicy.tries, in: 2...1000,
      "A receipt is given up after so many failures over so long a time."),
    .span("dead_after", \.options.giveUpPolicy.span, orNone: true, ""),
    .span(
      "believe_after", \.options.giveUpPolicy.verdictSpan, orNone: true,
      "How long Apple has to repeat 21003, 21010 and the like, and nothing else, before they are believed of a receipt that was valid before."
    ),
    .span("time_limit", \.timeLimit, "Of one request."),
    .span(
      "lease", \.options.lease, in: (Milliseconds.second...Milliseconds.hour, "from \"1s\" to \"1h\""),
      "How long a receipt stays reserved for a sweep that gives no sign of life, \"1s\" to \"1h\"."),
    ConfigurationKey(
      "ca_file", "Certificates to be trusted in place of the system's, in PEM.",
      example: "\"/etc/ssl/proxy.pem\""
    ) { (table, settings) throws(Failure) in
      guard let path = try table.pathText("ca_file") else { return }
      settings.options.limits.certificates = try certificates(path, of: table)
      settings.certificateFile = path
    } value: {
      $0.certificateFile.map(TOMLText.quoted)
    },
  ]

  /// Milliseconds.
  private var timeLimit: Int64 {
    get { Int64(options.limits.total) }
    set { options.limits.total = Int(clamping: newValue) }
  }

  private static func certificates(
    _ path: String, of table: ConfigurationTable
  ) throws(Failure) -> CertificateBundle {
    let what = "sweep.ca_file of the configuration file \(table.path)"
    let bytes = try TrustedFile.certificates.bytes(at: path, called: what)
    let problem: String
    switch PEMCertificates.problem(in: bytes) {
    case nil: return CertificateBundle(pem: bytes)
    case PEMCertificates.Problem.none?: problem = "has no PEM certificate that can be read"
    case .unreadable(let number)?:
      problem = "has a PEM certificate that cannot be read (number \(number) of them)"
    }
    throw Failure(
      .configuration,
      "cannot use \(what): \(path) \(problem); give a file of certificates between lines BEGIN CERTIFICATE and END "
        + "CERTIFICATE, or leave ca_file out to trust the system's")
  }
}
