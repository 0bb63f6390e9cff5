import ArgumentParser
import Subscriptions

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print a configuration with every key, what it does and its value.",
    discussion: """
      Without a configuration yet, this makes one to begin with:

          subtop config --print > ~/.config/subtop/config.toml
      """)

  @Flag(help: "Print the defaults. (default)")
  var print = false

  @Flag(help: "Print what is in force: the configuration file's values, and defaults for what it leaves out.")
  var effective = false

  @Option(
    help: ArgumentHelp(
      "The configuration file. (default: $XDG_CONFIG_HOME/subtop/config.toml)", valueName: "path"))
  var config: String?

  func validate() throws {
    guard !(print && effective) else { throw ValidationError("Give one of --print and --effective.") }
    guard effective || config == nil else {
      throw ValidationError("--config is for --effective; the defaults are the same whatever file there is.")
    }
    guard config?.isEmpty != true else {
      throw ValidationError(
        "the path of --config is empty; pass the configuration file, or leave --config out")
    }
  }

  func run() throws {
    let configuration = effective ? try ConfigurationFile(path: config) : .standard
    // What is in force may be a secret in the wrong place.
    try Standard.print(configuration.printed.withoutSecrets, terminator: "")
  }
}
