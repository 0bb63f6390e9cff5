import Glibc

/// TLS certificate made by openssl, valid for two days.
public struct ServerCertificate: Sendable {
  public enum Kind: Sendable, CaseIterable {
    /// Valid for 127.0.0.1 and the host of `subtop help operating`.
    case good
    case ofAnotherHost, selfSigned
  }

  /// PEM files: the server's certificate and key, and the authority that clients trust.
  public let certificate, key, authority: String

  public init(_ kind: Kind, in folder: TemporaryFolder) throws {
    (certificate, key) = (folder.file("\(kind).pem"), folder.file("\(kind).key"))
    authority = folder.file("authority.pem")
    let settings = folder.file("openssl.cnf")
    guard let file = fopen(settings, "w"), fputs(Self.settings, file) >= 0, fclose(file) == 0 else {
      throw SystemProgramProblem("\(settings) could not be written")
    }
    func make(_ section: String, _ certificate: String, _ key: String, _ more: [String]) throws {
      try runProgram(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-config", settings, "-extensions", section, "-subj", "/CN=\(section)", "-days",
          "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
          certificate,
        ] + more)
    }
    let authorityKey = folder.file("authority.key")
    try make("authority", authority, authorityKey, [])
    try make(
      kind == .ofAnotherHost ? "elsewhere" : "here", certificate, key,
      kind == .selfSigned ? [] : ["-CA", authority, "-CAkey", authorityKey])
  }

  private static let settings = """
    [req]
    distinguished_name = name
    [name]
    [authority]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [here]
    basicConstraints = critical, CA:FALSE
    subjectAltName = IP:127.0.0.1, DNS:subtop.example.com
    [elsewhere]
    basicConstraints = critical, CA:FALSE
    subjectAltName = DNS:elsewhere.example

    """
}
