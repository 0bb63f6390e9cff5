/// Catalog with equal and different levels, prices that do not divide evenly, and missing offers.
enum HostileCatalog {
  static let csv = """
    product_id,subscription_group_id,level,period,offer,price,currency,valid_from
    x.gold.month,g1,1,P1M,,9.99,USD,
    x.gold.month,g1,1,P1M,,11.99,USD,2025-03-01
    x.gold.month,g1,1,P1W,trial,0,USD,
    x.gold.month,g1,1,P3M,promo:deal,17.77,USD,
    x.gold.month,g1,1,P1M,code:SPRING,4.99,USD,2025-02-01
    x.gold.year,g1,1,P1Y,,59.95,USD,
    x.gold.year,g1,1,P1Y,intro,33.333333,USD,
    x.silver.month,g1,2,P1M,,4.990001,USD,
    x.silver.month,g1,2,P2W,intro,0.99,USD,
    x.silver.month,g1,2,P1M,promo:deal,2.49,USD,
    x.silver.week,g1,2,P1W,,1.49,USD,
    x.silver.week,g1,2,P3D,trial,0,USD,
    x.bronze.quarter,g1,3,P3M,,12.345678,EUR,
    x.bronze.quarter,g1,3,P1M,code:SPRING,3.000001,EUR,
    x.other.month,g2,1,P1M,,7.77,EUR,
    x.other.month,g2,1,P10D,intro,1.11,EUR,
    x.other.half,g2,2,P6M,,24.99,EUR,

    """

  /// Products by group, with the length of a period in days; `x.unlisted` is not in the catalog.
  static let products: [String: [(id: String, days: Int)]] = [
    "g1": [
      ("x.gold.month", 30), ("x.gold.year", 365), ("x.silver.month", 31), ("x.silver.week", 7),
      ("x.bronze.quarter", 91), ("x.unlisted", 30),
    ],
    "g2": [("x.other.month", 30), ("x.other.half", 182)],
  ]
}
