import ArgumentParser

/// `subtop-measure`: in-process timings and the input data of `make bench`.
@main
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subtop-measure",
    abstract: "Time queries of a store and signatures in one process, each as a line of JSON.",
    subcommands: [
      Panels.self, Lookups.self, Answers.self, Customers.self, Notifications.self, Signatures.self,
    ])
}
