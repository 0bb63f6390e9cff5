import ArgumentParser

/// `subtop-measure`: what `make bench` times within a process, and the answers that it makes stores from.
@main
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subtop-measure",
    abstract: "Times questions of a store and signatures within one process, each as a line of JSON.",
    subcommands: [
      Panels.self, Lookups.self, Answers.self, Customers.self, Notifications.self, Signatures.self,
    ])
}
