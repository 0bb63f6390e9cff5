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

  @OptionGroup var file: ConfigurationOption

  func validate() throws {
    guard !(print && effective) else { throw ValidationError("Give one of --print and --effective.") }
    guard effective || file.config == nil else {
      throw ValidationError("--config is for --effective; the defaults are the same whatever file there is.")
    }
  }

  func run() throws {
    let configuration = effective ? try ConfigurationFile(path: file.config) : .standard
    // What is in force may be a secret in the wrong place.
    try Standard.print(configuration.printed.withoutSecrets, terminator: "")
  }
}
