import Glibc

/// Certificates for a server on 127.0.0.1 that only those trust who are told to, made by the command `openssl`.
public struct FakeCertificates: Sendable {
  /// The file of the authority: what a client is to trust.
  public let authority: String
  /// For 127.0.0.1 and localhost, signed by the authority.
  public let good: FakeTLS.Identity
  /// For another host, signed by the authority.
  public let ofAnotherHost: FakeTLS.Identity
  /// For 127.0.0.1 and localhost, signed by itself.
  public let selfSigned: FakeTLS.Identity

  /// The good one, with the others as impostors.
  public var tls: FakeTLS { FakeTLS(good, impostors: [ofAnotherHost, selfSigned]) }

  /// Makes them anew, for two days, in a folder that exists.
  public init(madeIn folder: String) throws(FakeCertificatesProblem) {
    func identity(_ name: String) -> FakeTLS.Identity {
      FakeTLS.Identity(certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key")
    }
    let authority = identity("authority")
    self.authority = authority.certificate
    (good, ofAnotherHost, selfSigned) = (identity("good"), identity("another-host"), identity("self-signed"))
    let configuration = "\(folder)/openssl.cnf"
    try Self.write(Self.settings, to: configuration)
    let requests: [(FakeTLS.Identity, section: String, issuer: FakeTLS.Identity?)] = [
      (authority, "authority", nil), (good, "here", authority), (ofAnotherHost, "elsewhere", authority),
      (selfSigned, "here", nil),
    ]
    for (identity, section, issuer) in requests {
      var arguments = [
        "req", "-x509", "-config", configuration, "-extensions", section, "-subj",
        "/CN=Fake App Store \(section)",
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-keyout", identity.key, "-out", identity.certificate,
      ]
      if let issuer { arguments += ["-CA", issuer.certificate, "-CAkey", issuer.key] }
      try Self.openssl(arguments, toMake: identity.certificate)
    }
  }

  private static let settings = """
    [req]
    distinguished_name = name
    prompt = no
    [name]
    CN = Fake App Store
    [authority]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [here]
    basicConstraints = critical, CA:FALSE
    subjectAltName = IP:127.0.0.1, DNS:localhost
    [elsewhere]
    basicConstraints = critical, CA:FALSE
    subjectAltName = DNS:elsewhere.example

    """

  private static func write(_ text: String, to path: String) throws(FakeCertificatesProblem) {
    guard let file = fopen(path, "w") else {
      throw FakeCertificatesProblem(file: path, reason: String(cString: strerror(errno)))
    }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else {
      throw FakeCertificatesProblem(file: path, reason: String(cString: strerror(errno)))
    }
  }

  private static func openssl(_ arguments: [String], toMake file: String) throws(FakeCertificatesProblem) {
    var words = (["openssl"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY),
    ] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
    }
    var process: pid_t = 0
    let trouble = posix_spawnp(&process, "openssl", &actions, nil, &words, environ)
    guard trouble == 0 else {
      throw FakeCertificatesProblem(file: file, reason: String(cString: strerror(trouble)))
    }
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    guard end == 0 else {
      throw FakeCertificatesProblem(file: file, reason: "the command refused, with \(end >> 8 & 0xFF)")
    }
  }
}

/// Why there are no certificates.
public struct FakeCertificatesProblem: Error, Sendable, CustomStringConvertible {
  public let file: String
  public let reason: String

  public var description: String {
    "openssl could not make \(file): \(reason); install openssl 3, and name a folder that can be written"
  }
}
