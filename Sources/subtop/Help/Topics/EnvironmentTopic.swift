extension HelpTopic {
  static let environment = HelpTopic("environment", "Variables that are read") {
    HelpBlock.text(
      """
      \(Secrets.variable):: The shared secret, before what the configuration names; wiped once it is read.
      SUBTOP_STORE:: The store's file, unless --store names another.
      CREDENTIALS_DIRECTORY:: Where systemd puts a service's secrets: $CREDENTIALS_DIRECTORY/NAME in the configuration.
      NOTIFY_SOCKET, WATCHDOG_USEC:: Where `subtop listen` tells systemd that it is up and alive.
      JOURNAL_STREAM:: Where standard error is systemd's journal, the log goes there instead of its file.
      XDG_DATA_HOME:: Where the folder of the store lies; by default ~/.local/share.
      XDG_CONFIG_HOME:: Where the folder of the configuration lies; by default ~/.config.
      XDG_STATE_HOME:: Where the folder of the log lies; by default ~/.local/state.
      HOME:: Where it is not set, as in cron, the account's home directory is taken.
      LC_ALL, LC_CTYPE, LANG:: Whether text may hold more than ASCII.
      NO_COLOR:: Anything but the empty text has the dashboard drawn in bold and reverse alone.
      COLORTERM:: truecolor or 24bit has it drawn in 24-bit colours.
      TZ:: This machine's time zone, by a name of the tz database.
      """, terms: .variables)
  }

  static let files = HelpTopic("files", "Files that are read and written") {
    HelpBlock.text(
      """
      $XDG_DATA_HOME/subtop/subtop.sqlite:: The store. Beside it lie subtop.sqlite-wal, which holds commits that are not in it yet,
      and subtop.sqlite-shm: neither may be removed or copied apart from it.
      $XDG_CONFIG_HOME/subtop/config.toml:: The configuration.
      $XDG_STATE_HOME/subtop/subtop.log:: The log.
      $XDG_STATE_HOME/subtop/dashboard.json:: What the dashboard remembers.
      """, terms: .files)
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
