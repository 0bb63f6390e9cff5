import Subscriptions

/// Files that systemd hands to a service, with `LoadCredential=`, in a folder that is there for its time alone: systemd.exec(5).
enum CredentialsFolder {
  private static let variable = "CREDENTIALS_DIRECTORY"
  private static let prefix = "$\(variable)/"

  /// The path of a file that the configuration names, which may begin with the variable; no other is read there.
  ///
  /// - Parameter what: as a message calls it.
  static func path(_ given: String, called what: String) throws(Failure) -> String {
    guard given.hasPrefix(prefix) else { return given }
    guard let folder = Environment.variable(variable), folder.hasPrefix("/") else {
      throw Failure(
        .configuration,
        "\(what) is to be in \(printable(given)), and \(variable) is not set, as systemd does for a service with LoadCredential=; "
          + "run this as that service, or name the file by its path")
    }
    return "\(folder)/\(given.dropFirst(prefix.count))"
  }

  /// What the units have systemd hand over in place of a file that is not there, since a service that lacks one of its credentials would
  /// not start. Whoever took it for a secret would let anybody in who reads the units.
  static let absent = Array("absent".utf8)

  static func missing(_ given: String, called what: String) -> Failure {
    let name = printable(String(given.dropFirst(prefix.count)))
    return Failure(
      .configuration,
      "cannot read \(what): systemd found no file for the credential \(name); put it where the service's LoadCredential=\(name):… "
        + "says, which `systemctl cat subtop-sweep.service` shows, and see that root, or you of a user's service, may read it"
    )
  }
}
