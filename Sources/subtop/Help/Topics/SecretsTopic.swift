extension HelpTopic {
  static let secrets = HelpTopic(
    "secrets", "Where shared secrets and keys come from, and which files are trusted"
  ) {
    HelpBlock.text(
      """
      A shared secret comes from the first of these:

      - the variable \(Secrets.variable)
      - the app's own, by `shared_secret_env` or `shared_secret_file` in its table of the configuration
      - the account's primary secret, by the same keys at the top of the configuration

      It is never on the command line, in the configuration, in the store or in the log. Where apps are listed and there is no primary
      secret, receipts of other apps are not sent, and the sweep ends with 78 and their names.

          shared_secret_env = "PRIMARY_SECRET"

          [apps."com.example.app"]
          shared_secret_file = "/home/me/.secrets/example"

      The App Store Server API takes an In-App Purchase key of App Store Connect (Users and Access, Integrations) instead: issuer_id,
      key_id, and the .p8 file by private_key_file or private_key_env, in the app's table or at the top for every app. It is as secret.
      Customers of an app with a key are asked about through the Server API, by an id out of their receipt where there is only that; a
      receipt that holds none is sent to verifyReceipt, where the app has a shared secret too. `source = "verifyReceipt"` or
      `source = "server_api"` in the app's table overrides that.

          issuer_id = "57246542-96fe-1a63-e053-0824d011072a"
          key_id = "2X9R4HXF34"
          private_key_file = "/home/me/.secrets/SubscriptionKey_2X9R4HXF34.p8"

          [apps."com.example.app"]

      The configuration, files with secrets, certificates and `ca_file` have to be regular files of you or root that nobody else may write, in
      folders that nobody else may change; a secret may not be readable for others either (chmod 600). Otherwise the command ends with
      77 and says what to mend. A pipe such as a shell's <(...) is refused, and so is a link in the log's place.

      A group with your own number, as most systems give every user, counts as you. Secrets of root may be readable for a group of yours, as systemd and Kubernetes hand them over.

      A service of systemd gets its secrets by LoadCredential=: `private_key_file = "$CREDENTIALS_DIRECTORY/private-key"` and the same of
      `shared_secret_file`. No other variable is read in a path. `subtop help operating` shows it.
      """)
  }
}
