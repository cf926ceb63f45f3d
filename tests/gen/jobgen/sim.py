# SPDX-License-Identifier: MIT
"""The simulation: hosts that launch, streams that run in order, collectives that start when the last member arrives.

A rank's program is a list of instructions (tuples, below) of its launching thread.  A host that launches runs ahead
until its queue is full.  All times follow from others by maximum and sum, so the order in which actors are advanced
decides nothing: each is advanced until it waits for a time that is not known yet.  Times are ns of one true clock.
"""

# Instructions.  Host times are given by the program, jitter included.
WORK = 0        # ns
BEGIN = 1       # cat, name, args, ns before what is inside
END = 2         # ns after what is inside
LAUNCH = 3      # call, stream, Work, ns of the call
GRAPH = 4       # call, stream, [Work], ns of the call
SYNC = 5        # call, stream or None (all), ns of the call itself
JOIN = 6        # stream, other: what is launched to stream from here on waits for what other has by now
THREAD = 7      # thread number, ns of the hand-over
MARK = 8        # kind, value, payload: noted with the time (steps, memory)
LOAD = 9        # ns of the call itself: waits until the loader's next batch is ready
BLOCKCOPY = 10  # call, stream, Work, ns: the call returns when the copy is done
EVENT = 11      # call, name: as SYNC, for the work that was marked last under this name
STALL = 12      # name, ns: the profiler keeps the thread
CALL = 13       # call, ns: a call that launches nothing and waits for nothing

QUEUE_DEPTH = 1024


class Work:
    """Device work: a kernel or a copy; `coll` is the collective that it belongs to."""
    __slots__ = ("kind", "name", "dur", "shape", "coll", "info", "slow", "corr", "ready", "start", "end", "waits",
                 "waiters", "step", "ext", "stream", "launched", "gap", "tag", "hidden")

    def __init__(self, kind, name, dur, shape=None, info="", coll=None, slow=0, tag=None):
        self.kind, self.name, self.dur, self.shape = kind, name, dur, shape
        self.info, self.coll, self.slow, self.tag = info, coll, slow, tag
        self.ready = self.start = self.end = None
        self.waits = self.waiters = None
        self.gap, self.hidden = 0, False


class Collective:
    """All members start it; it moves data from the last arrival on."""
    __slots__ = ("cost", "size", "skews", "arrived")

    def __init__(self, cost, size, skews=(0,)):
        self.cost, self.size, self.skews, self.arrived = cost, size, skews, []

    def arrive(self, work):
        """None, or what now ends."""
        self.arrived.append(work)
        if len(self.arrived) < self.size:
            return None
        end = max(w.start for w in self.arrived) + self.cost
        for w in self.arrived:
            w.end = end + self.skews[w.tag % len(self.skews)]
        return self.arrived


class Stream:
    __slots__ = ("rank", "id", "queue", "head", "now", "joins", "waits_for")

    def __init__(self, rank, number):
        self.rank, self.id = rank, number
        self.queue, self.head, self.now, self.joins, self.waits_for = [], 0, 0, None, None


class Loader:
    """Worker processes that prepare batches: no more than `depth` are ready and not taken."""

    def __init__(self, periods, depth=2):
        self.periods, self.depth, self.ready, self.taken = periods, depth, [], []

    def next(self, now):
        n = len(self.taken)
        start = self.ready[-1] if self.ready else 0
        if n >= self.depth:
            start = max(start, self.taken[n - self.depth])
        self.ready.append(start + self.periods[min(n, len(self.periods) - 1)])
        got = max(now, self.ready[n])
        self.taken.append(got)
        return got


class Rank:
    """One host and its streams, and what happened there."""

    def __init__(self, number, program, loader=None, record=True):
        self.number, self.program, self.loader, self.record = number, program, loader, record
        self.pc, self.now, self.thread, self.step = 0, 0, 0, -1
        self.streams, self.stack, self.spans, self.calls, self.marks, self.stalls = {}, [[], []], [], [], [], []
        self.work, self.last_ext, self.corr = [], 0, 0
        self.step_start, self.step_end, self.events = {}, {}, {}

    def stream(self, number):
        s = self.streams.get(number)
        if s is None:
            s = self.streams[number] = Stream(self, number)
        return s


def run(ranks):
    """Advances all ranks to their ends."""
    todo = list(reversed(ranks))
    while todo:
        actor = todo.pop()
        if isinstance(actor, Rank):
            _host(actor, todo)
        else:
            _advance(actor, todo)
    for r in ranks:
        if r.pc < len(r.program):
            raise RuntimeError("rank %d waits for ever at %r" % (r.number, r.program[r.pc]))


def _advance(stream, todo):
    queue, head, now = stream.queue, stream.head, stream.now
    while head < len(queue):
        w = queue[head]
        if w.end is not None:
            now = w.end
            head += 1
            continue
        if w.start is not None:
            break                                   # arrived: the collective waits for others
        start = max(now + w.gap, w.ready)
        if w.waits:
            open_work = None
            for other in w.waits:
                if other.end is None:
                    open_work = other
                    break
                start = max(start, other.end + 500)
            if open_work is not None:
                if stream.waits_for is not open_work:
                    stream.waits_for = open_work
                    _wait(open_work, stream)
                break
        w.start = start
        if w.coll is None:
            now = w.end = start + w.dur
            head += 1
            if w.waiters:
                todo.extend(w.waiters)
                w.waiters = None
            continue
        done = w.coll.arrive(w)
        if done is None:
            break
        for other in done:
            if other.waiters:
                todo.extend(other.waiters)
                other.waiters = None
            if other is not w:
                todo.append(other.stream)
    stream.head, stream.now = head, now


def _wait(work, actor):
    if work.waiters is None:
        work.waiters = []
    work.waiters.append(actor)


def _launch(rank, stream, work, call_end):
    work.ready, work.stream, work.step, work.launched = call_end + 900, stream, rank.step, call_end
    if stream.joins:
        work.waits = stream.joins
        stream.joins = None
    stream.queue.append(work)
    rank.work.append(work)


def _launch_call(r, ins, now, todo):
    """A call that launches: when it returns, or None if that is not known yet."""
    code, call, number, what, ns = ins
    s = r.stream(number)
    if code == BLOCKCOPY and what.ready is not None:
        return _copied(r, call, what, ns)
    # A full queue: the call waits until there is room.
    start, full = now, len(s.queue) - QUEUE_DEPTH
    if full >= 0:
        head = s.queue[full]
        if head.end is None:
            _wait(head, r)
            return None
        now = max(now, head.end)
    r.corr += 1
    ext = _innermost(r)
    end = start + 900 if code == BLOCKCOPY else now + ns
    for w in what if code == GRAPH else (what,):
        _launch(r, s, w, end)
        w.corr, w.ext = r.corr, ext
    if code == BLOCKCOPY:
        what.launched, what.ready = start, start + 900
        _advance(s, todo)
        return _copied(r, call, what, ns)
    if r.record:
        r.calls.append((r.thread, start, end, call, r.corr, ext))
    _advance(s, todo)
    return end


def _copied(r, call, work, ns):
    """A call that waits for its copy: when it returns, or None."""
    if work.end is None:
        _wait(work, r)
        return None
    end = max(work.launched + ns, work.end + 1500)
    if r.record:
        r.calls.append((r.thread, work.launched, end, call, work.corr, work.ext))
    return end


def _sync_call(r, ins, now):
    """A call that waits for streams or for one work: when it returns, or None."""
    code, call, what, ns = ins
    if code == EVENT:
        last = r.events.get(what)
        tails = [last] if last is not None else []
    else:
        some = list(r.streams.values()) if what is None else [r.stream(what)]
        tails = [s.queue[-1] for s in some if s.queue]
    for w in tails:
        if w.end is None:
            _wait(w, r)
            return None
    end = max([now] + [w.end + 1200 for w in tails]) + ns
    r.corr += 1
    if r.record:
        r.calls.append((r.thread, now, end, call, r.corr, _innermost(r)))
    return end


def _host(r, todo):
    program, record = r.program, r.record
    n, pc, now = len(program), r.pc, r.now
    while pc < n:
        ins = program[pc]
        code = ins[0]
        if code == WORK:
            now += ins[1]
        elif code == BEGIN:
            if ins[1] == "python_function":
                ext = 0
            else:
                r.last_ext += 1
                ext = r.last_ext
            r.stack[r.thread].append((now, ext, ins))
            now += ins[4]
        elif code == END:
            start, ext, what = r.stack[r.thread].pop()
            now += ins[1]
            if record:
                r.spans.append((r.thread, start, now, ext, what))
        elif code == LAUNCH or code == GRAPH or code == BLOCKCOPY:
            after = _launch_call(r, ins, now, todo)
            if after is None:
                break
            now = after
        elif code == SYNC or code == EVENT:
            after = _sync_call(r, ins, now)
            if after is None:
                break
            now = after
        elif code == JOIN:
            other = r.stream(ins[2])
            for name, ns in (("cudaEventRecord", 700), ("cudaStreamWaitEvent", 600)):
                r.corr += 1
                if record:
                    r.calls.append((r.thread, now, now + ns, name, r.corr, _innermost(r)))
                now += ns
            if other.queue:
                s = r.stream(ins[1])
                s.joins = (s.joins or []) + [other.queue[-1]]
        elif code == THREAD:
            r.thread = ins[1]
            now += ins[2]
        elif code == MARK:
            if ins[1] == "step":
                r.step = ins[2]
                r.step_start[ins[2]] = now
            elif ins[1] == "step_end":
                r.step_end[ins[2]] = now
                r.step = -1
            elif ins[1] == "event":
                s = r.stream(ins[3])
                if s.queue:
                    r.events[ins[2]] = s.queue[-1]
            if record:
                r.marks.append((now, r.thread) + ins[1:])
        elif code == LOAD:
            now = r.loader.next(now) + ins[1]
        elif code == CALL:
            r.corr += 1
            if record:
                r.calls.append((r.thread, now, now + ins[2], ins[1], r.corr, _innermost(r)))
            now += ins[2]
        elif code == STALL:
            if record:
                r.stalls.append((now, now + ins[2], ins[1]))
            now += ins[2]
        pc += 1
    r.pc, r.now = pc, now


def _innermost(r):
    for _, ext, what in reversed(r.stack[r.thread]):
        if what[1] != "python_function":
            return ext
    return 0


def step_ends(rank, steps, main):
    """Ends of steps: the host's interval and its work on main streams have ended; never before the step before."""
    ends = dict(rank.step_end)
    for s in main:
        for w in rank.stream(s).queue:
            if w.step >= 0 and w.end > ends.get(w.step, 0):
                ends[w.step] = w.end
    last, out = 0, []
    for n in steps:
        last = max(last, ends[n])
        out.append(last)
    return out
