import AppStore
import Intake
import Subscriptions

extension ImportCommand {
  func importTransactions() throws(Failure) {
    let configuration = try options.configuration()
    let verifier = try configuration.signatureVerifier()
    let apps = configuration.ownApps
    let reading = reading(of: TransactionsFile.self) { kept throws(Failure) in
      do throws(SignedDataProblem) {
        _ = try kept.verified(by: verifier, for: apps)
        return nil
      } catch {
        return printable("\(error)", atMost: 400)
      }
    }
    try importAnswers(reading, called: "signed row", policy: configuration.duePolicy) {
      try? $0.verified(by: verifier, for: apps)
    }
  }
}
