import ArgumentParser
import FakeAppStore
import Subscriptions

struct Answers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the fake App Store's answers as `subtop import responses` reads them.",
    discussion: "Answers about deleted accounts are omitted, because they have no purchases.")

  @Option(help: "Number of subscribers.")
  var subscribers: Int

  @Option(help: "Start of the population.")
  var start: String

  @Option(help: "Instant of the answers; by default --start.")
  var at: String?

  @Option(help: "Index of the first answer to print.")
  var from = 0

  @Option(help: "Number of answers to print; by default all.")
  var count: Int?

  func run() throws {
    guard let founded = Instant(parsing: start) else { throw ValidationError("--start takes an instant.") }
    guard let at = Instant(parsing: at ?? start) else { throw ValidationError("--at takes an instant.") }
    let people = FakePopulation(subscribers: subscribers, founded: founded)
    let store = FakeStore(population: people)
    for index in from..<min(people.count, from + (count ?? people.count)) {
      let subscriber = people[index]
      let endpoint: FakeEndpoint = subscriber.environment == .sandbox ? .sandbox : .production
      let receipt = store.receipt(of: subscriber, at: at).receipt.base64
      let request = "{\"receipt-data\":\"\(receipt)\",\"password\":\"\(store.sharedSecret)\"}"
      let answer = store.answer(to: Array(request.utf8), endpoint: endpoint, at: at)
      guard answer.status == 0 || answer.status == 21006 else { continue }
      let user = subscriber.appUserID.map { "\"app_user_id\":\"\($0)\"," } ?? ""
      let head = "{\(user)\"observed_at_ms\":\(at.rawValue),\"response\":"
      // Line breaks occur only between JSON tokens, so blanks can replace them.
      let body = answer.body.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
      try Output.write(Array(head.utf8) + body + Array("}\n".utf8))
    }
  }
}
