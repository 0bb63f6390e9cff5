import ArgumentParser

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print a configuration file with every key, what it does and its value by default.",
    discussion: "subtop config --print > ~/.config/subtop/config.toml")

  @Flag(help: "Print it; there is nothing else to do.")
  var print = false

  func run() throws { try Standard.print(ConfigurationFile.printed, terminator: "") }
}
