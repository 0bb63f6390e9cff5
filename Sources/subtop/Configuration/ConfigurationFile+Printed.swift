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
        "What you want to be told of: a name and a condition, as subtop help alerts describes them. The dashboard and subtop status show them; sweeps tell of them, once when one is raised and once when it is over."
      ) + "[alerts]\n" + AlertSettings.keys.printed(of: alerts) + alerts.printedAlerts,
      TOMLText.comment(
        "Keys of the dashboard: a command's name and its keys, as the list of keys (?) shows both. A command with no keys is left to the palette."
      ) + "[keys]\n" + printedKeys,
      TOMLText.comment(
        "Commands of your own: a name, a key, and what it runs with the ids of the row that stands out, without a shell. {app_user_id}, {original_transaction_id}, {receipt_id} and {product_id} are each put into their word, whatever stands in them; quotation marks keep spaces. What it writes is shown as a message; it gets no secret of the environment, and a minute."
      ) + "[commands]\n" + printedCommands,
    ]
    return parts.joined(separator: "\n")
  }

  private var printedApps: String {
    guard !apps.isEmpty else { return "# [apps.\"com.example.app\"]\n" + App.keys.printed(of: App()) }
    return sortedApps.map { bundle, app in
      "[apps.\(TOMLText.quoted(bundle.rawValue))]\n" + App.keys.printed(of: app)
    }.joined(separator: "\n")
  }

  private var printedCommands: String {
    let own = keys.bindings.compactMap { binding -> String? in
      guard case .own(let command) = binding.command else { return nil }
      let key = binding.keys.first.map { "key = \(TOMLText.quoted($0.name)), " } ?? ""
      let line = command.words.map(Self.quotedWord).joined(separator: " ")
      let isBare = command.name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
      return
        "\(isBare ? command.name : TOMLText.quoted(command.name)) = { \(key)run = \(TOMLText.quoted(line)) }\n"
    }
    return own.isEmpty
      ? "# ticket = { key = \"!\", run = \"ticket {original_transaction_id}\" }\n"
      : own.joined()
  }

  /// So that it is one word again.
  private static func quotedWord(_ word: String) -> String {
    guard word.isEmpty || word.contains(where: { $0.isWhitespace || $0 == "'" || $0 == "\"" }) else {
      return word
    }
    return word.split(separator: "'", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "'\($0)'" }
      .joined(separator: "\"'\"")
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
