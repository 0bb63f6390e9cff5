-- Makes wrk post the lines of the file BODIES in turn.
local requests, last = {}, 0

function init()
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  -- wrk does not unpack answers, but receives as many bytes as the other programs.
  wrk.headers["Accept-Encoding"] = "gzip"
  for line in io.lines(os.getenv("BODIES")) do
    requests[#requests + 1] = wrk.format(nil, nil, nil, line)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status
    + summary.errors.timeout
  io.write(string.format('{"requests": %d, "microseconds": %d, "bytes": %d, "errors": %d}\n',
    summary.requests, summary.duration, summary.bytes, failed))
end
