import Subscriptions
import Testing

@Suite struct TerritoryTests {
  @Test(arguments: [
    ("US", "USA"), ("CN", "CHN"), ("GB", "GBR"), ("DE", "DEU"), ("XK", "XKS"), ("TW", "TWN"), ("MO", "MAC"),
    ("KR", "KOR"), ("CD", "COD"), ("RS", "SRB"), ("ME", "MNE"), ("NR", "NRU"), ("VG", "VGB"),
  ])
  func bothDirections(_ two: String, _ three: String) {
    #expect(StorefrontCode.ofTerritory(two) == StorefrontCode(three))
    #expect(StorefrontCode(three).territory == two)
  }

  /// Every other code stays, so that its rows remain apart.
  @Test(arguments: ["", "ZZ", "AA", "us", "USA", "EU"])
  func anUnknownCodeIsKept(_ code: String) {
    #expect(StorefrontCode.ofTerritory(code) == StorefrontCode(code))
  }

  /// Storefronts of the App Store (App Store Connect, 175 countries and regions).
  @Test func everyStorefrontIsKnown() {
    let storefronts = """
      AE AF AG AI AL AM AO AR AT AU AZ BA BB BE BF BG BH BJ BM BN BO BR BS BT BW BY BZ CA CD CG CH CI CL CM CN CO
      CR CV CY CZ DE DK DM DO DZ EC EE EG ES FI FJ FM FR GA GB GD GE GH GM GR GT GW GY HK HN HR HU ID IE IL IN IQ
      IS IT JM JO JP KE KG KH KN KR KW KY KZ LA LB LC LK LR LT LU LV LY MA MD ME MG MK ML MM MN MO MR MS MT MU MV
      MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PT PW PY QA RO RS RU RW SA SB SC SE SG SI SK SL
      SN SR ST SV SZ TC TD TH TJ TM TN TO TR TT TW TZ UA UG US UY UZ VC VE VG VN VU XK YE ZA ZM ZW
      """.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(storefronts.count == 175)
    let codes = storefronts.map { StorefrontCode.ofTerritory($0) }
    #expect(codes.allSatisfy { $0.rawValue.utf8.count == 3 } && Set(codes).count == 175)
    #expect(codes.map(\.territory) == storefronts)
  }
}
