#!/usr/bin/env python3
"""Writes the small corpora of the fuzzers, tests/fuzz/corpus/NAME/*, anew: what each format's own
writer would write, and little of it, so that a fuzzer has a way to go from there.
   make-corpus.py FOLDER_OF_TESTS
"""
import io
import json
import pathlib
import struct
import sys
import zipfile

tests = pathlib.Path(sys.argv[1])
corpus = tests / "fuzz" / "corpus"
SHA = "ecf9e9af19c581f156188679cb2a9e8d458c9ba8"


def put(fuzzer, name, data):
    folder = corpus / fuzzer
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)


def text_of(value):
    return json.dumps(value, separators=(",", ":"))


# A raw trace (tracer/record.h): head, names of operations, records, summary.
ACCESS, ATTEMPT, RESULT, START, NOTE, SUMMARY, EXPECT, FORK = range(1, 9)


def record(kind, pid=7, op=0, error=0, base=b"", path=b"", access=1, number=0):
    size = (20 + len(base) + len(path) + 7) & ~7
    head = struct.pack("<IIHHHHBBH", 0xF17E0000 | size, pid, op, error, len(base), len(path), kind,
                       access, number)
    return (head + base + path).ljust(size, b"\0")


def summary(lost=0, code=0, signal=0, kernel=0, torn=0):
    return record(SUMMARY, pid=0, path=struct.pack("<QiiII", lost, code, signal, kernel, torn))


def trace(*records):
    names = b"openat\0execve\0loader\0"
    names = names.ljust((len(names) + 7) & ~7, b"\0")
    return struct.pack("<QIIII", 0x3177617274660A1A, 1, 0x01020304, len(names), 0) + names + b"".join(records)


RECORDS = [
    record(START, path=b"/bin/true", op=2),
    record(ACCESS, base=b"/home/user", path=b"../a\n\xff\tb"),
    record(ACCESS, path=b"/none", error=2, access=6),
    record(ATTEMPT, path=b"/bin/x", op=1, number=3, access=129),
    record(RESULT, error=13, number=3),
    record(FORK, pid=8),
    record(EXPECT, pid=8, path=b"/bin/static", access=128),
    record(NOTE, pid=8, error=1, path=b"/bin/su"),
]
put("trace", "whole", trace(*RECORDS, summary(kernel=1)))
put("trace", "lost", trace(record(ACCESS, path=b"relative"), summary(lost=3, code=-1, signal=9, torn=1)))
put("trace", "cut", trace(*RECORDS)[:-5])


# The shared log: chunk, state, used bytes, offset, length, bytes (tests/fuzz/log.c).
def forged(chunk, state, used, offset, data):
    return struct.pack("<BBIHH", chunk, state, used, offset, len(data)) + data


BODY = b"".join(RECORDS)
put("log", "closed", forged(1, 3, len(BODY), 0, BODY))
put("log", "open", forged(4, 2, 0, 0, BODY[:-24]) + forged(0, 3, 65536, 65000, RECORDS[1]))

put("path", "up", "/home/user\n../../a/./b//c")
put("path", "relative", "\na/../b")

put("script", "env", "/usr/bin/env python3\nrest")
put("script", "spaces", " \t /bin/sh\t-e\n")


# An ELF file of 64 bits (elf.h): head, program headers, interpreter, dynamic section, code.
def elf(machine=62, needed=b"libc.so.6"):
    interpreter = b"/lib64/ld-linux-x86-64.so.2\0"
    strings = b"\0" + needed + b"\0libasan.so.8\0"
    code = b"\xb8\x01\x01\x00\x00\x0f\x05\xc3\xbf\x3d\x01\x00\x00\x90"
    start = 64 + 3 * 56
    at_strings = start + len(interpreter)
    at_dynamic = (at_strings + len(strings) + 7) & ~7
    dynamic = b"".join(struct.pack("<QQ", tag, value) for tag, value in
                       [(1, 1), (1, 2 + len(needed)), (5, at_strings), (10, len(strings)), (0x6ffffffb, 1), (0, 0)])
    at_code = at_dynamic + len(dynamic)
    total = at_code + len(code)
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, at_code, 64, 0, 0, 64,
                                                          56, 3, 64, 0, 0)
    headers = b"".join(struct.pack("<IIQQQQQQ", kind, flags, at, at, at, size, size, 8) for kind, flags, at, size in
                       [(1, 5, 0, total), (3, 4, start, len(interpreter)), (2, 6, at_dynamic, len(dynamic))])
    return (head + headers + interpreter + strings).ljust(at_dynamic, b"\0") + dynamic + code


put("elf", "dynamic", elf())
put("elf", "other-machine", elf(machine=183))
put("elf", "code", b"\x48\xc7\xc0\x02\x00\x00\x00\x0f\x05\x48\x89\xf8\x0f\x05\xc3\xb8\x3d\x01\x00\x00")

# System calls in machine code: mov $257, %eax; mov %rdi, %rsi; syscall; and one with its number from memory.
put("sites", "openat", b"\x55\x48\x89\xe5\xb8\x01\x01\x00\x00\x48\x89\xfe\x0f\x05\x5d\xc3\x74\x02\x90\x90")
put("sites", "any", b"\x48\x89\xf8\x48\x89\xf7\x4c\x89\xc2\x0f\x05\xc3\x8b\x05\x10\x00\x00\x00\x31\xff\x0f\x05")


# Mach-O (loader.h): head and load commands of one slice; a fat file of two.
def macho(cpu=0x0100000C, subtype=0, kind=2):
    segment = struct.pack("<II16sQQQQIIII", 0x19, 152, b"__RESTRICT", 0, 0, 0, 0, 0, 0, 1, 0)
    segment += struct.pack("<16s16sQQIIIIIIII", b"__restrict", b"__RESTRICT", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    loader = struct.pack("<III", 0xE, 32, 12) + b"/usr/lib/dyld".ljust(20, b"\0")
    blob = struct.pack(">IIIIIIIIIIIBBBBI", 0xFADE0C02, 44, 0x20400, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0)
    entitlements = b"<plist><dict><key>com.apple.security.cs.allow-dyld-environment-variables</key><true/></dict></plist>"
    entitlements = struct.pack(">II", 0xFADE7171, 8 + len(entitlements)) + entitlements
    signature = struct.pack(">IIIIIII", 0xFADE0CC0, 28 + len(blob) + len(entitlements), 2, 0, 28, 5, 28 + len(blob))
    signature += blob + entitlements
    at = 32 + len(segment) + len(loader) + 16
    signed = struct.pack("<IIII", 0x1D, 16, at, len(signature))
    head = struct.pack("<IIIIIIII", 0xFEEDFACF, cpu, subtype, kind, 3, len(segment) + len(loader) + 16, 0, 0)
    return head + segment + loader + signed + signature


SLICE = macho()
FAT = struct.pack(">II", 0xCAFEBABE, 2) + struct.pack(">IIIII", 0x0100000C, 0, 64, len(SLICE), 3)
FAT += struct.pack(">IIIII", 0x01000007, 3, 64 + len(SLICE), len(SLICE), 3)
put("macho", "arm64", SLICE)
put("macho", "fat", FAT.ljust(64, b"\0") + SLICE + macho(cpu=0x01000007, subtype=3))
put("macho", "script", "#!/usr/bin/env python3 -x # y\n")


def units(base, path):
    base = base.encode("utf-16-le")
    return bytes([len(base)]) + base + path.encode("utf-16-le", "surrogatepass")


put("ntpath", "device", units("", "\\Device\\HarddiskVolume3\\a\\..\\b.txt") + b"x")
put("ntpath", "drive", units("c:\\dir", "file:stream") + b"\0")
put("ntpath", "dos", units("", "\\??\\C:\\x") + b"x")
put("ntpath", "share", units("\\Device\\Mup\\server\\share", "\ud800f"))

for name in ("linux-now", "windows-now"):
    put("result", name, (tests / "data" / "seed" / f"{name}.json").read_bytes())
put("result", "head-base", text_of(json.loads((tests / "data" / "compare" / "head-base.json").read_text())))
put("history", "main", text_of(json.loads((tests / "data" / "compare" / "history.json").read_text())))

put("hyperfine", "one-run", text_of({"results": [{"command": "true", "mean": 0.1, "times": [0.1], "exit_codes": [0]}]}))
put("hyperfine", "table", text_of({"results": [
    {"command": "bfs -exec true", "mean": 0.066, "stddev": 0.004, "median": 0.066, "user": 0.1, "system": 0.1,
     "min": 0.06, "max": 0.07, "times": [0.06, 0.07], "exit_codes": [0, 0], "group": "many"},
    {"command": "find | sh", "mean": 0.155, "stddev": None, "min": 0.155, "max": 0.155, "group": "many"}]}))

put("suite", "strace", text_of({
    "schema": "tracetax.suite/1", "name": "mine", "version": "3", "parameters": {"size": "10"},
    "tracker": ["strace", "-o", "{trace}", "{command}"],
    "targets": [{"name": "a", "operation": "o", "operations_count": 9, "command": ["/a b/it's", "", "{dir}"],
                 "prepare": ["true"], "paths": ["list", "{dir}"]}]}))

RUN = {"id": 5000, "run_number": 50, "run_attempt": 1, "event": "pull_request", "conclusion": "success",
       "head_sha": SHA, "head_branch": "b", "created_at": "2026-07-23T17:50:00Z",
       "run_started_at": "2026-07-23T17:50:00Z", "updated_at": "2026-07-23T18:04:00Z",
       "path": ".github/workflows/benchmark.yml@refs/heads/b",
       "head_repository": {"id": 43, "owner": {"login": "fork"}}}
EVENT = {"action": "completed", "repository": {"id": 42, "full_name": "o/r", "default_branch": "main"},
         "workflow_run": RUN}
put("event", "pull", text_of(EVENT))
put("event", "push", text_of({**EVENT, "workflow_run": {**RUN, "event": "push", "head_branch": "main",
                                                        "head_repository": {"id": 42, "owner": {"login": "o"}}}}))

PULL = {"number": 3, "state": "open", "locked": False, "created_at": "2026-07-20T08:00:00Z",
        "head": {"ref": "b", "sha": SHA, "repo": {"id": 43}}, "base": {"ref": "main", "repo": {"id": 42}}}
ARTIFACT = {"id": 9, "name": "tracetax-linux-x86_64-1of2", "expired": False, "created_at": "2026-07-23T18:00:00Z",
            "workflow_run": {"id": 5000, "repository_id": 42, "head_repository_id": 42, "head_branch": "main"}}
OLD_RUN = {**RUN, "id": 4000, "run_number": 6, "status": "completed"}
put("answers", "pulls", text_of([PULL, {**PULL, "number": 2, "base": {"ref": "x", "repo": {"id": 42}}}]))
put("answers", "artifacts", text_of([ARTIFACT, {**ARTIFACT, "id": 10, "name": "tracetax-history"}, {**ARTIFACT, "name": "x"}]))
put("answers", "runs", text_of([OLD_RUN, {**OLD_RUN, "event": "push", "head_branch": "main", "head_sha": "0" * 40,
                                          "head_repository": {"id": 42, "owner": {"login": "o"}}}]))

LINK = 'link: <https://api.example/repositories/1/pulls?page=2>; rel="next", <https://x/>; rel="last"\r\n'
put("http", "pages", "\0" + f"200\n{LINK}\n" + text_of([PULL]) + "\n%%\n200\n\n[]")
put("http", "limit", "\1" + '403\nretry-after: 7\nx-ratelimit-remaining: 0\n\n{"message":"API rate limit"}\n%%\n'
    + "200\n\n" + text_of({"total_count": 1, "artifacts": [ARTIFACT]}))
put("http", "moved", "\2" + "301\nlocation: https://api.example/x\n\n\n%%\n200\n\n"
    + text_of({"merge_base_commit": {"sha": SHA, "commit": {"committer": {"date": "2026-07-20T08:00:00Z"}}}}))
put("http", "download", "\3" + "302\nLocation: https://storage.example/a?b=c\n\n\n%%\n200\n\nPK")
put("http", "comment", "\5" + "200\n\n" + text_of([{"id": 1, "user": {"login": "github-actions[bot]"},
                                                  "body": "<!-- tracetax:benchmark -->\nold"}]) + "\n%%\n200\n\n{}")


def archive(name, data, method=zipfile.ZIP_DEFLATED, mode=0o100644):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        entry = zipfile.ZipInfo(name, (2026, 7, 23, 18, 0, 0))
        entry.compress_type = method
        entry.external_attr = mode << 16
        file.writestr(entry, data)
    return out.getvalue()


put("archive", "deflated", archive("result.json", '{"schema":"tracetax.result/1"}' * 8))
put("archive", "stored", archive("result.json", "{}", zipfile.ZIP_STORED))
put("archive", "link", archive("result.json", "/etc/passwd", mode=0o120777))
put("archive", "other", archive("../evil", "x"))

put("markdown", "markup", "\0@user #12 GH-1 <img src=x> [x](y) *b* `c` $x$ :tada: www.x.y deadbeef1")
put("markdown", "commands", "\0##[error]a #\n#[ ###[")
put("markdown", "lines", "\1a|b\n# c\r\n    d\xe2\x80\xae\xff")

for number, text in enumerate(["12345678901234567890", "-1.5e3", "2026-07-23T18:04:00.5Z", "tracetax-linux-1of2",
                               "https://u:p@api.example:443/x?y#z", '<https://a/>; rel="next"',
                               "<!-- tracetax:benchmark -->\n<!-- tracetax:run 1 2 3 -->\n", "::error::a%0Ab",
                               "a ##[set-env name=A]b###["]):
    put("numbers", str(number), text)
