"""inapppy's asyncio validator asking about every receipt once, so many at a time. Runs in the peers' virtual environment.

Usage: inapppy_sweep.py URL BODIES AT_ONCE

BODIES holds a request's JSON a line. Prints the answers a second as JSON. What comes back is parsed, as inapppy does, and let go.
"""
import asyncio
import json
import sys
import time

from inapppy.asyncio import AppStoreValidator


class Validator(AppStoreValidator):
    """With another address than Apple's."""

    def _change_url_by_sandbox(self):
        self.url = f"{sys.argv[1]}/verifyReceipt"


async def main():
    requests = [json.loads(line) for line in open(sys.argv[2])]
    validator, waiting = Validator(), iter(requests)

    async def ask():
        for request in waiting:
            await validator.validate(request["receipt-data"], request["password"])

    async with validator:
        began = time.monotonic()
        await asyncio.gather(*(ask() for _ in range(int(sys.argv[3]))))
        seconds = time.monotonic() - began
    print(json.dumps({"answers": len(requests), "seconds": seconds, "answers_per_second": len(requests) / seconds}))


asyncio.run(main())
