extension FieldLimits {
  /// What `subtop help limits` says of them.
  package static var table: [(what: String, limit: String)] {
    [
      ("ids of transactions, orders and subscription groups, app account tokens", "\(id) bytes"),
      ("product ids, bundle ids", "\(name) bytes"),
      ("app_user_id", "\(appUserID) bytes"),
      ("ids and reference names of offers", "\(offer) bytes"),
      ("any other text of an answer", "\(text) bytes"),
      ("a receipt in base64", mebibytes(receipt)),
      ("a signed transaction or renewal info", "\(signedRow >> 10) KiB"),
      ("a signed notification", "\(signedNotification >> 10) KiB"),
      ("an answer of the App Store", mebibytes(answer)),
      ("a line of a file, or one JSON value over many lines", mebibytes(line)),
      ("dates", "2008-07-10 to 2099-12-31"),
      (
        "a signed price, for all of a quantity",
        "\(grouped(Int(signedPrice.upperBound / 1000))) units of its currency"
      ),
      ("quantity", "\(quantity.lowerBound) to \(grouped(Int(quantity.upperBound)))"),
      ("rows in a list of an answer", grouped(transactionsPerAnswer)),
      ("pending_renewal_info of an answer", grouped(renewalInfosPerAnswer)),
      ("prices in a catalogue", grouped(prices)),
      ("rates in an import", grouped(rates)),
      ("digits of a price before and behind the point", "\(priceDigits.whole) and \(priceDigits.fraction)"),
      ("level of a catalogue", "\(level.lowerBound) to \(grouped(level.upperBound))"),
      ("bad lines of an import, also with --skip-invalid", grouped(badLines)),
    ]
  }

  private static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }

  /// `20,000`, as counts are written everywhere.
  package static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digits[index])
    }
  }
}
