import AppStore
import Subscriptions

/// The same of the product's own readers.
extension ReferenceDecoding.Read {
  public init(response bytes: [UInt8], from environment: StoreEnvironment?) {
    self.init { () throws(UnreadableAnswer) in
      Self(try VerifyReceiptResponse(decoding: bytes, from: environment))
    }
  }

  public init(keptResponse bytes: [UInt8]) {
    self.init { () throws(UnreadableAnswer) in
      let kept = try KeptResponse(decoding: bytes)
      var read = Self(kept.response)
      (read.user, read.observedAt) = (kept.appUserID, kept.observedAt)
      return read
    }
  }

  public init(keptNotification bytes: [UInt8]) {
    self.init { () throws(UnreadableAnswer) in
      let kept = try KeptNotification(decoding: bytes)
      var read = Self(answer: kept.notification.answer)
      (read.user, read.observedAt) = (kept.notification.appUserID, kept.notification.observedAt)
      (read.digest, read.password) = (kept.notification.digest, kept.password?.text)
      return read
    }
  }

  private init(_ response: VerifyReceiptResponse) {
    self.init(status: response.status.rawValue, isRetryable: response.isRetryable, answer: response.answer)
  }

  private init(_ read: () throws(UnreadableAnswer) -> Self) {
    do throws(UnreadableAnswer) {
      self = try read()
    } catch {
      self.init(reason: error.reason)
    }
  }
}

extension ReferenceDecoding {
  /// Where the two read bytes differently; nil where they do not.
  public static func difference(in bytes: [UInt8]) -> String? {
    let pairs: [(String, Read, Read)] = [
      ("answer", response(bytes, from: .sandbox), Read(response: bytes, from: .sandbox)),
      ("kept answer", keptResponse(bytes), Read(keptResponse: bytes)),
      ("notification", keptNotification(bytes), Read(keptNotification: bytes)),
    ]
    guard let (name, theirs, ours) = pairs.first(where: { $0.1 != $0.2 }) else { return nil }
    return "as \(name), Foundation reads \(theirs), and the scanner \(ours)"
  }
}
