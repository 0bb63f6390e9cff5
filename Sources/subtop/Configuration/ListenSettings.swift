import Listening
import Subscriptions

/// The table `[listen]`.
struct ListenSettings: Sendable {
  var options = ListenerOptions()
  /// Whether the dashboard listens as well.
  var dashboard = false

  static let keys: [ConfigurationKey<ListenSettings>] = [
    .count("port", \.options.port, in: 0...65_535, "The port, 0 to 65535; 0 takes a free one."),
    ConfigurationKey(
      "bind",
      "The address of this machine that is listened on: 127.0.0.1 for a TLS proxy on this machine, which Apple needs, 0.0.0.0 for one elsewhere."
    ) { (table, settings) throws(Failure) in
      guard let address = try table.text("bind") else { return }
      guard !address.isEmpty else { throw table.wrong("bind", "an address like \"127.0.0.1\"") }
      settings.options.address = address
    } value: {
      TOMLText.quoted($0.options.address)
    },
    .flag(
      "dashboard", \.dashboard,
      "Whether the dashboard receives them as well while it is open, with no need for subtop listen then; not with --readonly or --at."
    ),
  ]

  init() {}

  /// What the table leaves out stays as it is by default.
  init(_ table: ConfigurationTable) throws(Failure) {
    // TLS would have everybody who builds the program build a second library for it.
    if let key = table.keys.first(where: { $0.hasPrefix("tls_") }) {
      throw table.refused(
        "\(printable(key)) is not supported, since subtop listen speaks plain HTTP; leave it out and put a TLS proxy before it"
      )
    }
    try Self.keys.read(table, into: &self)
  }
}
