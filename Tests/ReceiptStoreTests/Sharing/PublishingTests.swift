import ReceiptStore
import Sharing
import Subscriptions
import TestSupport
import Testing

/// Publishing in steps, with interruptions.
@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct PublishingTests {
  @Test func publishingAgainChangesNoByte() throws {
    let lived = try LivedWorld(3)
    let team = try Team(now: lived.last)
    let first = try team.publish(lived.store)
    #expect(first.chains > 0 && first.sums > 0)
    let before = try team.contents()
    let again = try team.publish(lived.store)
    #expect(again.chains == 0 && again.sums == 0)
    #expect(try team.contents() == before)
  }
}
