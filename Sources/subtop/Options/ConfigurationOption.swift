import ArgumentParser
import Subscriptions

struct ConfigurationOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file. (default: $XDG_CONFIG_HOME/subtop/config.toml)", valueName: "path"))
  var config: String?

  func validate() throws {
    try BlankValue.refuse(
      config, "the path of --config", "pass the configuration file, or leave --config out")
    try UnexpandedTilde.refuse(config, "the configuration's path")
  }

  /// For commands that take nothing from it: a file that was named has to be right, and no backup fails of any other.
  func checkNamed() throws(Failure) {
    if config != nil { _ = try ConfigurationFile(path: config) }
  }
}
