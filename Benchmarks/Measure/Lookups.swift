import ArgumentParser
import ReceiptStore
import Subscriptions

struct Lookups: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the chain view by ids of several kinds.",
    discussion: "Reads ids from standard input, one per line: the kind of id, a tab, and the id.")

  @Argument(help: "The store's file.")
  var store: String

  @Option(help: "The as-of instant.")
  var at: String

  func run() throws {
    guard let at = Instant(parsing: at) else { throw ValidationError("--at takes an instant.") }
    let store = try ReceiptStore(path: store, access: .readOnly)
    var ids: [String: [String]] = [:]
    while let line = readLine() {
      let parts = line.split(separator: "\t", maxSplits: 1)
      if parts.count == 2 { ids[String(parts[0]), default: []].append(String(parts[1])) }
    }
    for (kind, ids) in ids.sorted(by: { $0.key < $1.key }) {
      try Output.write(
        Timing(kind, runs: ids.count) { run in
          guard try !store.chains(matching: ids[run], at: at).isEmpty else { throw NotFound(id: ids[run]) }
        })
    }
    try Output.write(Memory.now)
  }
}

/// Error for an id that was read from the store but finds no chain.
struct NotFound: Error, CustomStringConvertible {
  let id: String
  var description: String { "nothing in the store has the id \(id), which was read from it" }
}
