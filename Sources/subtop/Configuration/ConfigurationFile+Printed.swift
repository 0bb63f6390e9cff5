import Dashboard
import Screen
import Subscriptions

extension ConfigurationFile {
  /// Every key with what it does and its value, as a file that could be used as it is.
  var printed: String {
    let parts = [
      TOMLText.comment(
        "The configuration of subtop: $XDG_CONFIG_HOME/subtop/config.toml, or --config PATH. Every key may be left out. Spans of time are 90s, 30m, 6h, 7d or 2w."
      ),
      Self.scalars.printed(of: self),
      TOMLText.comment("One table for each app, by its bundle id.") + printedApps,
      TOMLText.comment("When a receipt is asked about again.") + "[due]\n"
        + DuePolicy.keys.printed(of: duePolicy),
      TOMLText.comment("Subscriptions that are asked about more often before they expire.")
        + "[due.important]\n" + ImportantLines.keys.printed(of: duePolicy.important),
      TOMLText.comment("How a sweep asks.") + "[sweep]\n" + SweepSettings.keys.printed(of: sweep),
      TOMLText.comment("Where notifications are received, by subtop listen and, if you like, the dashboard.")
        + "[listen]\n"
        + ListenSettings.keys.printed(of: listen),
      TOMLText.comment(
        "Keys of the dashboard: a command's name and its keys, as the list of keys (?) shows both. A command with no keys is left to the palette."
      ) + "[keys]\n" + printedKeys,
    ]
    return parts.joined(separator: "\n")
  }

  private var printedApps: String {
    guard !apps.isEmpty else { return "# [apps.\"com.example.app\"]\n" + App.keys.printed(of: App()) }
    return apps.sorted { $0.key.rawValue < $1.key.rawValue }.map { bundle, app in
      "[apps.\(TOMLText.quoted(bundle.rawValue))]\n" + App.keys.printed(of: app)
    }.joined(separator: "\n")
  }

  /// What differs from the usual keys.
  private var printedKeys: String {
    let changed = zip(keys.bindings, KeyMap.standard.bindings).filter { $0.keys != $1.keys }.map {
      binding, _ in
      "\(binding.command.name) = \(TOMLText.list(binding.keys.map(\.name)))\n"
    }
    return changed.isEmpty
      ? "# find = [\"f\", \"F3\"]\n# quit = [\"^C\", \"F10\", \"Q\"]\n" : changed.joined()
  }
}
