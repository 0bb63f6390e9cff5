"""Validates every receipt once with inapppy's asyncio validator. Runs in the virtual environment of `Peers`.

Usage: inapppy_sweep.py URL BODIES AT_ONCE

BODIES has the JSON of one request per line. AT_ONCE requests run at a time. inapppy parses the answers, which are then dropped.
Prints the answers per second as JSON.
"""
import asyncio
import json
import sys
import time

from inapppy.asyncio import AppStoreValidator


class Validator(AppStoreValidator):
    """Validator that sends requests to the given URL instead of Apple's."""

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
