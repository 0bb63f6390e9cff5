extension HelpTopic {
  static let environment = HelpTopic("environment", "Variables that are read") {
    [
      .terms(
        [
          .init(
            Secrets.variable, "The shared secret, before what the configuration names; wiped once it is read."
          ),
          .init("SUBTOP_STORE", "The store's file, unless --store names another."),
          .init(
            "CREDENTIALS_DIRECTORY",
            "Where systemd puts a service's secrets: $CREDENTIALS_DIRECTORY/NAME in the configuration."),
          .init(
            "NOTIFY_SOCKET, WATCHDOG_USEC", "Where `subtop listen` tells systemd that it is up and alive."),
          .init(
            "JOURNAL_STREAM",
            "Where standard error is systemd's journal, the log goes there instead of its file."),
          .init("XDG_DATA_HOME", "Where the folder of the store lies; by default ~/.local/share."),
          .init("XDG_CONFIG_HOME", "Where the folder of the configuration lies; by default ~/.config."),
          .init("XDG_STATE_HOME", "Where the folder of the log lies; by default ~/.local/state."),
          .init("HOME", "Where it is not set, as in cron, the account's home directory is taken."),
          .init("LC_ALL, LC_CTYPE, LANG", "Whether text may hold more than ASCII."),
          .init("NO_COLOR", "Anything but the empty text has the dashboard drawn in bold and reverse alone."),
          .init("COLORTERM", "truecolor or 24bit has it drawn in 24-bit colours."),
          .init("TZ", "This machine's time zone, by a name of the tz database."),
        ], .variables)
    ]
  }

  static let files = HelpTopic("files", "Files that are read and written") {
    [
      .terms(
        [
          .init(
            "$XDG_DATA_HOME/subtop/subtop.sqlite",
            "The store. Beside it lie subtop.sqlite-wal, which holds commits that are not in it yet, and subtop.sqlite-shm: neither may be removed or copied apart from it."
          ),
          .init("$XDG_CONFIG_HOME/subtop/config.toml", "The configuration."),
          .init("$XDG_STATE_HOME/subtop/subtop.log", "The log."),
          .init("$XDG_STATE_HOME/subtop/dashboard.json", "What the dashboard remembers."),
        ], .files)
    ]
  }

  static let exitStatus = HelpTopic("exit-status", "What a command ends with") {
    HelpBlock.text(
      "Data goes to standard output, everything else to standard error. The codes are those of sysexits(3).")
      + [
        .terms(
          [.init("0", "Done.")] + Failure.Code.allCases.map { .init(String($0.rawValue), $0.meaning) } + [
            .init("a signal", "Interrupted: a shell tells 128 and the signal's number, as 130 for ^C.")
          ])
      ]
  }
}
