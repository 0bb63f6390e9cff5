import ArgumentParser
import Subscriptions

struct ConfigurationOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file. (default: $XDG_CONFIG_HOME/subtop/config.toml)", valueName: "path"))
  var config: String?

  /// Each command says when: what else is wrong may come first.
  func check() throws {
    try BlankValue.refuse(
      config, "the path of --config", "pass the configuration file, or leave --config out")
  }
}
