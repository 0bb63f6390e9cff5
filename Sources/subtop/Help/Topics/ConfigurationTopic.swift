extension HelpTopic {
  static let configuration = HelpTopic("configuration", "The configuration file: every key with its default")
  {
    HelpBlock.text(
      """
      The file is `$XDG_CONFIG_HOME/subtop/config.toml`, or what `--config` names. It is TOML, and no key has to be there. A
      key that subtop does not know, or a value that makes no sense, ends a command with 78 and a sentence that names it. The file may
      not be writable for others: `subtop help secrets`.

      `subtop config --print` prints what follows, to begin with; `subtop config --effective` prints the configuration in
      force, in the same form.

          subtop config --print > ~/.config/subtop/config.toml
      """) + [.verbatim(String(ConfigurationFile.standard.printed.dropLast()))]
  }
}
