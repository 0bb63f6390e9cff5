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
    if id.isEmpty { return "is missing" }
    if BlankValue.isBlank(id) { return "is blank" }
    if let unseen = BlankValue.unseen(in: id) { return unseen }
    if isRounded(id) {
      return "is a number that a spreadsheet rounded; import the file as it was before it was opened there"
    }
    return "is none of the App Store's, which are digits and not 0 alone"
  }

  /// Whether a spreadsheet rounded the id. It writes ids of 15 digits and more as `2.00000E+15`.
  private static func isRounded(_ id: String) -> Bool {
    let mantissa = id.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let exponent = id.utf8.dropFirst(mantissa.count + 1)
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    return (mantissa.count < id.utf8.count || mantissa.contains(UInt8(ascii: ".")))
      && mantissa.first.map(isDigit) == true
      && mantissa.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
      && exponent.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "+") }
  }
}
