"""The counters of the status as the wire has them."""

from plimsoll.lsp.wire import service as wire
from plimsoll.telemetry.activity import Activity


def counters(activity: Activity) -> wire.Counters:
    """Convert the counters of what the server did to their wire form."""
    return wire.Counters(
        turns=activity.turns,
        requests=tuple(
            wire.RequestCounter(
                model=each.model,
                purpose=each.purpose,
                requests=each.requests,
                failed=each.failed,
                input=each.input,
                cached=each.cached,
                output=each.output,
            )
            for each in activity.requests
        ),
        reductions=tuple(
            wire.ReductionCounter(stage=stage, times=each.times, tokens=each.tokens)
            for stage, each in activity.reductions.items()
        ),
        cache_misses=tuple(
            wire.CacheMissCounter(cause=cause, times=each.times, tokens=each.tokens)
            for cause, each in activity.cache_misses.items()
        ),
        waits=tuple(
            wire.WaitCounter(reason=reason, times=times) for reason, times in activity.waits.items()
        ),
    )
