import Intake
import Subscriptions
import Testing

@Suite("Exports of hosted products") struct HostedExportTests {
  /// Table whose rows set a few columns; the other columns have a default or are empty.
  private struct Sheet {
    var columns: [String]
    var usual: [String: String]

    func line(_ values: [String: String]) -> String {
      columns.map { values[$0] ?? usual[$0] ?? "" }.joined(separator: ",") + "\n"
    }

    func text(_ rows: [[String: String]]) -> String {
      columns.joined(separator: ",") + "\n" + rows.map(line).joined()
    }

    func without(_ gone: String...) -> Sheet {
      Sheet(columns: columns.filter { !gone.contains($0) }, usual: usual)
    }
  }

  /// RevenueCat's Scheduled Data Exports, version 5.
  private static let revenueCat = Sheet(
    columns: [
      "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "country", "country_source",
      "product_identifier", "product_display_name", "product_duration", "start_time", "end_time",
      "grace_period_end_time", "effective_end_time", "store", "is_auto_renewable", "is_trial_period",
      "is_in_intro_offer_period", "is_sandbox", "price_in_usd", "purchase_price_in_usd",
      "takehome_percentage", "tax_percentage", "commission_percentage", "store_transaction_id",
      "original_store_transaction_id", "refunded_at", "unsubscribe_detected_at",
      "billing_issues_detected_at", "purchased_currency", "price_in_purchased_currency",
      "purchase_price_in_purchased_currency", "entitlement_identifiers", "renewal_number",
      "is_trial_conversion", "presented_offering", "ownership_type", "reserved_subscriber_attributes",
      "custom_subscriber_attributes", "platform", "experiment_id", "experiment_variant", "updated_at",
      "offer", "offer_type", "first_seen_time", "auto_resume_time",
    ],
    usual: [
      "store": "app_store", "is_sandbox": "false", "platform": "android", "price_in_usd": "9.99",
      "start_time": "2026-01-01 08:27:06", "ownership_type": "PURCHASED",
    ])

  /// Adapty's table of events in its Amazon S3 integration.
  private static let adapty = Sheet(
    columns: [
      "profile_id", "event_type", "event_datetime", "transaction_id", "original_transaction_id",
      "subscription_expires_at", "environment", "revenue_usd", "proceeds_usd", "net_revenue_usd",
      "tax_amount_usd", "revenue_local", "proceeds_local", "net_revenue_local", "tax_amount_local",
      "customer_user_id", "store", "product_id", "base_plan_id", "developer_id", "ab_test_name",
      "ab_test_revision", "paywall_name", "paywall_revision", "profile_county", "install_date", "idfv",
      "idfa", "advertising_id", "ip_address", "cancellation_reason", "android_app_set_id", "android_id",
      "device", "currency", "store_country", "attribution_source", "attribution_network_user_id",
      "attribution_status", "attribution_channel", "attribution_campaign", "attribution_ad_group",
      "attribution_ad_set", "attribution_creative", "attributes", "integration_ids",
    ],
    usual: [
      "profile_id": "p-1", "event_type": "subscription_renewed", "environment": "Production",
      "store": "app_store", "event_datetime": "2026-01-01T08:27:06.000000+0000",
    ])

  /// Fields of Qonversion's webhook events as columns.
  private static let qonversion = Sheet(
    columns: [
      "event_name", "user_id", "custom_user_id", "identity_id", "time", "product_id", "price.value",
      "price.value_usd", "price.currency", "transaction.transaction_id",
      "transaction.original_transaction_id", "transaction.expires", "environment", "platform",
    ],
    usual: [
      "event_name": "subscription_renewed", "user_id": "q-1", "environment": "production", "platform": "iOS",
    ])

  private static let rounded =
    "was rounded by a spreadsheet; import the file as it was before"
  private static let foreign = "is not an App Store id, which has only digits and is not 0"

  static let cases = revenueCatCases + adaptyCases + qonversionCases

  private static let revenueCatCases = [
    FileCase(
      "RevenueCat: rows of one customer, and of another",
      revenueCat.text([
        [
          "rc_original_app_user_id": "u-1", "store_transaction_id": "20",
          "original_store_transaction_id": "19",
        ],
        [
          "rc_original_app_user_id": "u-1", "store_transaction_id": "21",
          "original_store_transaction_id": "19",
        ], ["rc_original_app_user_id": "u-2", "store_transaction_id": "30", "store": "mac_app_store"],
      ]), ["19 u-1 -", "19 u-1 -", "30 u-2 -"], remarks: [.export(.revenueCat): 1]),
    FileCase(
      "RevenueCat: a user whom it named itself, and one who never had another name",
      revenueCat.text([
        [
          "rc_original_app_user_id": "$RCAnonymousID:8a", "rc_last_seen_app_user_id_alias": "u-1",
          "original_store_transaction_id": "19",
        ],
        [
          "rc_original_app_user_id": "$RCAnonymousID:8b",
          "rc_last_seen_app_user_id_alias": "$RCAnonymousID:8c", "original_store_transaction_id": "20",
        ],
        [
          "rc_original_app_user_id": "u-3", "rc_last_seen_app_user_id_alias": "other",
          "original_store_transaction_id": "21",
        ],
      ]), ["19 u-1 -", "20 $RCAnonymousID:8b -", "21 u-3 -"], remarks: [.export(.revenueCat): 1]),
    FileCase(
      "RevenueCat: quoted fields with commas and quotes, a byte order mark, lines as on Windows",
      "\u{FEFF}"
        + revenueCat.text([
          [
            "rc_original_app_user_id": "\"u,1\"", "original_store_transaction_id": "\"19\"",
            "custom_subscriber_attributes": #""{""note"": ""a, """"b"""" \n c""}""#,
            "entitlement_identifiers": #""[""pro"", ""plus""]""#,
          ]
        ]).replacing("\n", with: "\r\n"), ["19 u,1 -"], remarks: [.export(.revenueCat): 1]),
    FileCase(
      "RevenueCat: rows of other stores are counted by name",
      revenueCat.text(
        [
          ("play_store", "GPA.1-2..0"), ("play_store", "7"), ("amazon", "a:1"), ("stripe", "in_1"),
          ("promotional", "rc_promo"), ("rc_billing", "txn1"), ("paddle", "p"), ("roku", "r"),
          ("test_store", "t"), ("moon_store", "1"), ("app_store", "19"),
        ].map { ["store": $0.0, "original_store_transaction_id": $0.1, "rc_original_app_user_id": "u"] }),
      ["19 u -"],
      remarks: [
        .export(.revenueCat): 1, .otherStore(.googlePlay): 2, .otherStore(.amazon): 1,
        .otherStore(.stripe): 1, .otherStore(.promotional): 1, .otherStore(.webBilling): 1,
        .otherStore(.paddle): 1, .otherStore(.roku): 1, .otherStore(.test): 1, .otherStore(.unknown): 1,
      ]),
    FileCase(
      "RevenueCat: without the column store Google's ids are known by their form",
      revenueCat.without("store").text([
        ["original_store_transaction_id": "GPA.3309-9122-6177-45730"],
        ["original_store_transaction_id": "19", "rc_original_app_user_id": "u"],
      ]), ["19 u -"], remarks: [.export(.revenueCat): 1, .otherStore(.googlePlay): 1]),
    FileCase(
      "RevenueCat: rows of the sandbox are taken, however true is written",
      revenueCat.text(
        [("1", "true"), ("2", "t"), ("3", "false"), ("4", "f"), ("5", "")].map {
          ["original_store_transaction_id": $0.0, "is_sandbox": $0.1, "rc_original_app_user_id": "u"]
        }), ["1 u -", "2 u -", "3 u -", "4 u -", "5 u -"], remarks: [.export(.revenueCat): 1, .sandbox: 2]),
    FileCase(
      "RevenueCat: bad ids are named with their column",
      revenueCat.text([
        ["original_store_transaction_id": ""], ["original_store_transaction_id": "null"],
        ["original_store_transaction_id": "2.00000E+15"], ["original_store_transaction_id": "in_1"],
        ["original_store_transaction_id": "", "store_transaction_id": "0"],
        ["original_store_transaction_id": "19", "rc_original_app_user_id": "u"],
        [
          "original_store_transaction_id": "19",
          "rc_original_app_user_id": String(repeating: "u", count: 1025),
        ],
      ]), ["19 u -"],
      bad: [
        "original_store_transaction_id (column 23) is missing",
        "original_store_transaction_id (column 23) is missing",
        "original_store_transaction_id (column 23) \(rounded)",
        "original_store_transaction_id (column 23) \(foreign)", "store_transaction_id (column 22) \(foreign)",
        "rc_original_app_user_id (column 1) is longer than 1024 bytes",
      ], remarks: [.export(.revenueCat): 1]),
    FileCase(
      "RevenueCat: no column of ids, said once",
      revenueCat.without("store_transaction_id", "original_store_transaction_id").text([[:], [:]]),
      bad: [
        "it is a RevenueCat export without original_store_transaction_id or store_transaction_id; add one of them to the export"
      ]),
  ]

  private static let adaptyCases = [
    FileCase(
      "Adapty: the app's own user, and the profile where there is none",
      adapty.text([
        ["original_transaction_id": "19", "transaction_id": "20", "customer_user_id": "u-1"],
        ["original_transaction_id": "21"], ["original_transaction_id": "22", "customer_user_id": "null"],
        ["transaction_id": "23", "original_transaction_id": "\\N", "customer_user_id": "u-2"],
      ]), ["19 u-1 -", "21 p-1 -", "22 p-1 -", "23 u-2 -"], remarks: [.export(.adapty): 1]),
    FileCase(
      "Adapty: other stores, the sandbox, and an event about no purchase",
      adapty.text([
        ["original_transaction_id": "GPA.1", "store": "play_store"],
        ["original_transaction_id": "sub_1", "store": "stripe"], ["event_type": "access_level_updated"],
        ["original_transaction_id": "19", "environment": "Sandbox", "customer_user_id": "u"],
        ["original_transaction_id": "20", "customer_user_id": "u", "event_datetime": "someday"],
      ]), ["19 u -", "20 u -"],
      remarks: [
        .export(.adapty): 1, .otherStore(.googlePlay): 1, .otherStore(.stripe): 1, .noTransaction: 1,
        .sandbox: 1,
      ]),
    FileCase(
      "Adapty: the table of paywall visits",
      "profile_id,customer_user_id,profile_country,install_date,store,paywall_showed_at\np,u,DE,,,\n",
      bad: [
        "it is an Adapty export without original_transaction_id or transaction_id; export events instead"
      ]),
  ]

  private static let qonversionCases = [
    FileCase(
      "Qonversion: the user's identity before its own name of the user",
      qonversion.text([
        [
          "transaction.original_transaction_id": "19", "transaction.transaction_id": "20",
          "identity_id": "u-1",
        ], ["transaction.original_transaction_id": "21", "custom_user_id": "u-2"],
        ["transaction.transaction_id": "22"],
      ]), ["19 u-1 -", "21 u-2 -", "22 q-1 -"], remarks: [.export(.qonversion): 1]),
    FileCase(
      "Qonversion: names without the object before them, quoted, as on Windows",
      "\u{FEFF}\"Event Name\",\"Custom User ID\",\"Original Transaction ID\",\"Store\"\r\n"
        + "\"renewed\",\"a, b\",\"19\",\"App Store\"\r\n\"renewed\",\"c\",\"GPA.1\",\"Google Play\"\r\n",
      ["19 a, b -"], remarks: [.export(.qonversion): 1, .otherStore(.googlePlay): 1]),
    FileCase(
      "Qonversion: other platforms, the sandbox, and an event about no purchase",
      qonversion.text([
        ["transaction.original_transaction_id": "GPA.1", "platform": "Android"],
        ["transaction.original_transaction_id": "sub_1", "platform": "stripe"],
        ["event_name": "user_created"],
        ["transaction.original_transaction_id": "19", "environment": "sandbox", "identity_id": "u"],
      ]), ["19 u -"],
      remarks: [
        .export(.qonversion): 1, .otherStore(.googlePlay): 1, .otherStore(.stripe): 1, .noTransaction: 1,
        .sandbox: 1,
      ]),
    FileCase(
      "Qonversion: other stores without a column for them",
      qonversion.without("platform").text([
        ["transaction.original_transaction_id": "GPA.1"], ["transaction.original_transaction_id": "sub_1"],
        ["transaction.original_transaction_id": "19", "identity_id": "u"],
      ]), ["19 u -"],
      remarks: [.export(.qonversion): 1, .otherStore(.googlePlay): 1, .otherStore(.stripe): 1]),
    FileCase(
      "Qonversion: purchases without the name of an event",
      "user_id,identity_id,product_id,original_transaction_id,platform\nq,,p,19,iOS\nq,u,p,7,Stripe\nq,u,p,sub_1,\n",
      ["19 q -"], remarks: [.export(.qonversion): 1, .otherStore(.stripe): 2]),
    FileCase(
      "another file with a platform column",
      "user_id,transaction_id,platform\nu,19,iPadOS\nv,20,android\nw,21,Stripe\nx,22,\n",
      ["19 u -", "22 x -"], remarks: [.otherStore(.googlePlay): 1, .otherStore(.stripe): 1]),
    FileCase(
      "Qonversion: no column of ids", "event_name,user_id,custom_user_id,time\nx,q,u,1\n",
      bad: [
        "it is a Qonversion export without original_transaction_id or transaction_id; export purchases or events instead"
      ]),
  ]

  /// `cat` may have joined several exports.
  @Test func exportsBehindEachOther() {
    let text =
      Self.adapty.text([["original_transaction_id": "19", "customer_user_id": "u-1"]])
      + Self.revenueCat.text([["original_store_transaction_id": "20", "rc_original_app_user_id": "u-2"]])
      + "\u{FEFF}"
      + Self.revenueCat.text([["original_store_transaction_id": "21", "rc_original_app_user_id": "u-3"]])
      .replacing("\n", with: "\r\n")
    let reading = IDsFile.read(Array(text.utf8))
    #expect(reading.badLines == [])
    #expect(reading.items.compactMap(\.appUserID?.rawValue) == ["u-1", "u-2", "u-3"])
    #expect(reading.remarks == [.export(.adapty): 1, .export(.revenueCat): 1])
  }

  @Test func aUserNamedByTheAppIsNotProvisional() {
    let texts = [
      Self.adapty.text([
        ["original_transaction_id": "19"], ["original_transaction_id": "20", "customer_user_id": "u"],
      ]),
      Self.revenueCat.text([
        ["original_store_transaction_id": "19", "rc_original_app_user_id": "$RCAnonymousID:8a"],
        ["original_store_transaction_id": "20", "rc_original_app_user_id": "u"],
      ]),
      Self.qonversion.text([
        ["transaction.original_transaction_id": "19"],
        ["transaction.original_transaction_id": "20", "identity_id": "u"],
      ]),
      "user_id,identity_id,original_transaction_id,platform\nq,,19,iOS\nq,u,20,iOS\n",
      "user_id,original_transaction_id\nq,19\n", "user_id,original_transaction_id\nQON_1,19\nu,20\n",
      "{\"app_user_id\": \"$RCAnonymousID:8a\", \"transaction_id\": \"19\"}\n",
    ]
    let provisional = texts.map { IDsFile.read(Array($0.utf8)).items.map(\.isUserProvisional) }
    #expect(
      provisional == [
        [true, false], [true, false], [true, false], [true, false], [false], [true, false], [true],
      ])
    let receipts = "app_user_id,receipt\n$RCAnonymousID:8a,MIIT\nu,MIIT\n"
    #expect(ReceiptsFile.read(Array(receipts.utf8)).items.map(\.isUserProvisional) == [true, false])
  }

  @Test func aSimilarHeaderIsNotAnExport() {
    let reading = IDsFile.read(
      Array("user_id,original_transaction_id,environment,event_name\nu,1,Production,x\n".utf8))
    #expect(reading.remarks == [:] && reading.items.count == 1)
  }
}
