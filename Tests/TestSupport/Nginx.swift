import Glibc

/// nginx as a TLS and HTTP/2 proxy in front of a plain HTTP server.
///
/// It inherits a listening socket, so that no other process takes the port and early connections wait.
public final class Nginx {
  public let port: Int
  private let folder = TemporaryFolder()
  private var listener: Int32
  private var process: pid_t?

  public init() throws {
    guard let (descriptor, port) = Loopback.listen(),
      fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    else { throw SystemProgramProblem("no port: \(String(cString: strerror(errno)))") }
    (listener, self.port) = (descriptor, Int(port))
  }

  deinit {
    if let process {
      kill(process, SIGTERM)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
    close(listener)
  }

  /// - Parameters:
  ///   - servers: Content of `http { … }`, with a server on this port.
  ///   - delay: Milliseconds before nginx starts. Connections are accepted, but not answered.
  public func start(_ servers: String, after delay: Int = 0) throws {
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
    let configuration = """
      \(geteuid() == 0 ? "user root;" : "") daemon off; pid nginx.pid;
      events { worker_connections 1024; }
      http {
        \(paths.joined(separator: " "))
        log_format connections '$connection'; access_log access.log connections;
        \(servers)
      }

      """
    guard let file = fopen(folder.file("nginx.conf"), "w"), fputs(configuration, file) >= 0, fclose(file) == 0
    else { throw SystemProgramProblem("nginx.conf could not be written") }
    let program = "/usr/sbin/nginx"
    guard access(program, X_OK) == 0 else { throw SystemProgramProblem("there is no \(program)") }
    let script = "sleep $0; exec \(program) -p $1/ -c nginx.conf -e errors"
    process = try startProgram(
      "/bin/sh", ["-c", script, "\(Double(delay) / 1000)", folder.path],
      // Descriptors of listening sockets that nginx inherits.
      environment: ["NGINX=0;", "PATH=/usr/bin:/bin"], input: listener)
    close(listener)
    listener = -1
  }

  /// Forwards all requests to another port of 127.0.0.1.
  public func start(
    before other: Int, showing certificate: ServerCertificate, http2: Bool, after delay: Int = 0
  ) throws {
    try start(
      """
      server {
        listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
        ssl_certificate \(certificate.certificate); ssl_certificate_key \(certificate.key);
        location / {
          proxy_pass http://127.0.0.1:\(other); proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_buffering off; proxy_redirect off;
        }
      }
      """, after: delay)
  }

  /// Waits until nginx has logged this many requests, after their responses; returns the connections.
  public func connections(of requests: Int) async throws -> Set<Substring> {
    let deadline = ContinuousClock.now + .seconds(240)
    while ContinuousClock.now < deadline {
      let lines = text("access.log").split(separator: "\n")
      if lines.count >= requests { return Set(lines) }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw SystemProgramProblem("nginx answered fewer than \(requests) requests: \(errors)")
  }

  public var errors: String { text("errors") }

  private func text(_ name: String) -> String {
    String(decoding: Corpus.bytes(at: folder.file(name)) ?? [], as: UTF8.self)
  }
}
