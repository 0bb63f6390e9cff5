-- Makes wrk post each line of the file BODIES once. The lines are divided among THREADS threads, which then pause.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds, microseconds; } moment;
  int gettimeofday(moment *now, void *zone);
]]
local threads = {}
local requests, sent, looked, now = {}, 0, false, ffi.new("moment")
-- wrk can read only global variables.
began, finished, taken, refused = 0, 0, 0, 0

local function clock()
  ffi.C.gettimeofday(now, nil)
  return tonumber(now.seconds) + tonumber(now.microseconds) / 1e6
end

function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

function init()
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  local place, count = 0, tonumber(os.getenv("THREADS"))
  for line in io.lines(os.getenv("BODIES")) do
    if place % count == number then requests[#requests + 1] = wrk.format(nil, "/notifications", nil, line) end
    place = place + 1
  end
end

function request()
  -- wrk calls this once before the start on the first thread, to inspect a request.
  if number == 0 and not looked then
    looked = true
    return requests[1]
  end
  if sent == 0 then began = clock() end
  sent = sent + 1
  -- Until the last answers arrive, threads without lines request a path that does not exist.
  return requests[sent] or wrk.format("GET", "/nothing")
end

function response(status)
  if status == 404 or taken + refused >= #requests then return end
  if status == 200 then taken = taken + 1 else refused = refused + 1 end
  if taken + refused == #requests then
    finished = clock()
    wrk.thread:stop()
  end
end

function done(summary, latency)
  local first, last, all, bad, whole = math.huge, 0, 0, 0, 1
  for _, thread in ipairs(threads) do
    first, last = math.min(first, thread:get("began")), math.max(last, thread:get("finished"))
    all, bad = all + thread:get("taken"), bad + thread:get("refused")
    if thread:get("finished") == 0 then whole = 0 end
  end
  io.write(string.format('{"taken": %d, "refused": %d, "seconds": %.6f, "whole": %d, "p50": %d, "p99": %d}\n',
    all, bad, last - first, whole, latency:percentile(50), latency:percentile(99)))
end
