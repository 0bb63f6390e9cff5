import Files
import Glibc
import ReceiptStore
import Subscriptions

/// Why a command ended without its result: a sentence for a person and a code for a script.
struct Failure: Error {
  /// As in sysexits.h.
  enum Code: Int32, CaseIterable {
    case failed = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unreachable = 69
    case store = 74
    case leftForLater = 75
    case notPermitted = 77
    case configuration = 78

    /// For people, as the help says it.
    var meaning: String {
      switch self {
      case .failed: "Failed: nothing of the kinds below; or status --alerts found one raised."
      case .usage: "Wrong usage."
      case .badData: "Bad input data."
      case .noInput: "No such input."
      case .unreachable: "The App Store could not be reached at all."
      case .store: "The store could not be read or written."
      case .leftForLater: "Some receipts are left for a later try."
      case .notPermitted: "Not permitted: a file that others could have changed or read."
      case .configuration:
        "The configuration: there is no shared secret or key, Apple refused it (21004, 401), or its answers are not signed by anyone trusted or of another app."
      }
    }
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.withoutSecrets
  }

  /// Whoever read standard output has seen enough, as `head` does: nothing to say.
  static let readerGone = Failure(.failed, "")

  /// - Parameter what: what was to be read from the file, which the problem names.
  init(_ problem: FileProblem, reading what: String) {
    self.init(
      problem.isUnsafe ? .notPermitted : .configuration,
      problem.isUnsafe
        ? "\(what) is not read: \(problem)" : "cannot read \(what): \(problem)\(Self.remedy(problem))")
  }

  private static func remedy(_ problem: FileProblem) -> String {
    switch problem {
    case .system(_, ENOENT): "; put it there, or give the path at which it is"
    case .system(_, EACCES): "; have whoever owns it let this user read it, or run this as that user"
    default: ""
    }
  }

  init(_ error: StoreError) {
    let code =
      switch error.kind {
      case .unusable: Code.store
      case .missing: Code.noInput
      case .notPermitted: Code.notPermitted
      case .misused: Code.usage
      }
    self.init(code, error.description)
  }
}

/// What is asked of the store, whose errors end the command.
func withStoreFailures<Value>(
  _ answer: @autoclosure () throws(StoreError) -> Value
) throws(Failure) -> Value {
  do throws(StoreError) {
    return try answer()
  } catch {
    throw Failure(error)
  }
}

extension TrustedFile {
  /// - Parameter what: what it is in the sentence of a failure.
  func bytes(at path: String, called what: String) throws(Failure) -> [UInt8] {
    do throws(FileProblem) {
      return try bytes(at: path)
    } catch {
      throw Failure(error, reading: what)
    }
  }
}
