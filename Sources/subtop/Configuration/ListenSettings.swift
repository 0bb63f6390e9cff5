import Listening

/// The table `[listen]`.
struct ListenSettings: Sendable {
  var options = ListenerOptions()
  /// Whether the dashboard listens as well.
  var dashboard = false

  static let keys: [ConfigurationKey<ListenSettings>] =
    [
      .count("port", \.options.port, in: 0...65_535, "The port, 0 to 65535; 0 takes a free one."),
      ConfigurationKey(
        "bind",
        "The address of this machine that is listened on: 127.0.0.1 for a TLS proxy on this machine, 0.0.0.0 for one elsewhere."
      ) { (table, settings) throws(Failure) in
        if let address = try table.filledText("bind") { settings.options.address = address }
      } value: {
        TOMLText.quoted($0.options.address)
      },
      .flag(
        "dashboard", \.dashboard,
        "Whether the dashboard receives them as well while it is open, with no need for subtop listen then; not with --readonly or --at."
      ),
    ]
}
