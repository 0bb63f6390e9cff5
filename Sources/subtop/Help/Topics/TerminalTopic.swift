import Terminal

extension HelpTopic {
  static let terminal = HelpTopic("terminal", "Colours, mouse, time zones, and what the dashboard remembers")
  {
    HelpBlock.text(
      """
      - Themes: \(Theme.all.map(\.name).joined(separator: ", ")). `T` takes the next one, `theme` in the configuration names the first one. terminal uses your own sixteen colours, but for the shades of cohorts, which need 256.
      - Colours are 24 bits deep where COLORTERM says so and the package ncurses-term is installed, else 256, 16 or 8, or none. NO_COLOR is honoured.
      - Text is drawn in Unicode where the locale is UTF-8 (LC_ALL=C.UTF-8), else in ASCII; `--ascii` has it in ASCII anywhere.
      - The mouse selects tabs and rows and sorts columns. Shift selects text past it; `m` or `--no-mouse` leaves it to the terminal.
      - `z` shows times in the next of the configured time zones; `--time-zone` does the same for tables.
      - `--readonly` leaves out every key that changes something.
      - Terminals that know private mode 2026 draw frames at one stroke with `synchronized_output` in the configuration.

      Panel, window, time zone, theme and mouse, and each list's filter, order and hidden columns, are remembered from one day to the next.
      Environment, product, storefront and offer are not, so that yesterday's choice cannot mislead.

      A theme of your own is a file `themes/NAME.toml` in the folder of the configuration file. `base` names the theme that it begins
      with; without it, that is terminal. The other keys give colours to what the screen tells:
      \(Theme.ownRoles.map(\.name).joined(separator: ", ")). A colour is `#rrggbb`, of which terminals with fewer colours show the
      nearest, one of the terminal's own sixteen (black, red, green, yellow, blue, magenta, cyan, white, or one of these with bright-
      before it), or default, the terminal's foreground. A selection stays reverse video, and the shades of cohorts stay the base's.

          # ~/.config/subtop/themes/dusk.toml, shown by theme = "dusk" in config.toml
          base = "dark"
          accent = "#ffb454"
          good = "bright-green"
      """)
  }
}
