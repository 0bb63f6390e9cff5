import AppStore
import Subscriptions

/// Check of an id that Apple can be asked about.
enum ImportedID {
  /// Names of the id and the user in messages: those of their columns or keys, or these for a bare id.
  struct Names {
    var id = "the id"
    var user = "app_user_id"
  }

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
      // SQLite would end the text at the NUL.
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
