import AppStore
import Subscriptions

/// An id by which a customer can be asked about, as somebody wrote it down.
enum ImportedID {
  /// What messages call an id and a user, which stand in columns or under keys with names; a bare id does not.
  struct Names {
    var id = "the id"
    var user = "app_user_id"
  }

  /// - Parameters:
  ///   - user: empty is none.
  ///   - bundle: the same.
  static func content(
    _ id: String, _ user: String?, _ bundle: String?, called names: Names = Names()
  ) -> LineContent<ImportedReceipt> {
    for (name, text, limit) in [
      (names.id, id, FieldLimits.id), (names.user, user ?? "", FieldLimits.appUserID),
      ("bundle_id", bundle ?? "", FieldLimits.name),
    ] {
      if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: limit) {
        return .bad("\(name) \(breach)")
      }
      // The store would end the text there.
      if text.utf8.contains(0) { return .bad("\(name) holds a NUL") }
    }
    let customer = CustomerID(id)
    guard customer.isCredible else { return .bad("\(names.id) \(fault(of: id))") }
    return .receipt(.customer(customer), of: user, called: names.user, in: bundle)
  }

  private static func fault(of id: String) -> String {
    id.isEmpty ? "is missing" : AppleIDRule.fault(of: id) ?? AppleIDRule.foreign
  }
}
