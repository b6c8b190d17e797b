"""Tests of the client, against a running service and against servers that misbehave.

The environment has PROVIDER_DIRECTORY_URL, PROVIDER_DIRECTORY_KEY, and ROLL_BACK: a command that
makes the service go back to the snapshot before.
"""

from __future__ import annotations

import doctest
import hashlib
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import provider_directory
from provider_directory import Client, QuotaExceededError

KEY = os.environ["PROVIDER_DIRECTORY_KEY"]
NPI = "1976056766"
UNKNOWN_NPI = "1234567893"
SNAPSHOT = "20261116T031500000Z"
Answer = Callable[["Handler"], Any]
NOWHERE = "http://127.0.0.1:1"
WITHIN = 10.0


def load_tests(loader: Any, tests: unittest.TestSuite, pattern: Any) -> unittest.TestSuite:
    return unittest.TestSuite([doctest.DocTestSuite(provider_directory), tests])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        self.server.requests.append(dict(self.headers.items()))
        self.server.answer(self)

    do_HEAD = do_GET

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def reply(self, body: Any, status: int = 200, headers: Mapping[str, str] = {}) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.head(status, {"Content-Length": str(len(data)), **headers})
        if self.command != "HEAD":
            self.wfile.write(data)

    def fail(self, status: int, code: str, after: str = "") -> None:
        self.reply({"error": {"code": code, "message": code}}, status, {"Retry-After": after})

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server whose responses a test decides."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.paths: List[str] = []
        self.requests: List[Dict[str, str]] = []
        self.connections = 0
        self.clients = ExitStack()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def client(self, **options: Any) -> Client:
        client = Client(KEY, self.url, **options)
        self.clients.callback(client.close)
        return client


def provider(handler: Handler) -> None:
    handler.reply({"data": {"npi": NPI}, "meta": {}})


def cutting(headers: Dict[str, str], data: bytes, release: Optional[Event] = None) -> Answer:
    """Sends some bytes, and closes the connection, after an event if there is one."""

    def answer(handler: Handler) -> None:
        handler.head(200, headers)
        handler.wfile.write(data)
        handler.close_connection = True
        if release is not None:
            release.wait(WITHIN)

    return answer


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


class Case(unittest.TestCase):
    def server(self, *answers: Answer) -> Server:
        """Gives one answer after another, and the last one from then on."""
        left = list(answers)
        server = Server(lambda handler: (left.pop(0) if len(left) > 1 else left[0])(handler))
        self.addCleanup(server.server_close)
        self.addCleanup(server.clients.close)
        self.addCleanup(server.shutdown)
        return server

    def until(self, what: str, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + WITHIN
        while not holds():
            self.assertLess(time.monotonic(), end, f"waited for {what}")
            time.sleep(0.01)


class TheService(Case):
    def setUp(self) -> None:
        self.client = Client()
        self.addCleanup(self.client.close)

    def test_pages_and_the_export_have_the_same_providers(self) -> None:
        exported = [record["npi"] for record in self.client.export(state="IL")]
        page = self.client.search(state="IL", limit=3)
        self.assertEqual((len(page.data), page.total), (3, len(exported)))
        paged = [entry["npi"] for entry in self.client.iter_search(state="IL", limit=3)]
        self.assertEqual(paged, exported)
        self.assertGreater(len(exported), 3)

    def test_nearby_reads_all_pages(self) -> None:
        near = dict(zip="60611", radius=50)
        all_at_once = list(self.client.iter_nearby(**near))
        self.assertGreater(len(all_at_once), 2)
        self.assertEqual(list(self.client.iter_nearby(**near, limit=2)), all_at_once)

    def test_the_files_are_downloaded_and_continued(self) -> None:
        deadline = time.monotonic() + 6 * WITHIN
        while True:
            try:
                listing = self.client.files()
                break
            except provider_directory.ServerError as error:
                if error.code != "files_not_ready" or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        name = "providers.ndjson.zst"
        with tempfile.TemporaryDirectory() as folder:
            for file in listing:
                saved = self.client.download(file["name"], folder)
                self.assertEqual(saved.stat().st_size, file["bytes"])
                content = saved.read_bytes()
                if file["name"] == name:
                    part = saved.with_name(f".{name}.{file['sha256'][:16]}.part")
                    part.write_bytes(content[:1_000])
                    saved.unlink()
                    again = self.client.download(name, folder, snapshot=listing.snapshot)
                    self.assertEqual(again.read_bytes(), content)
        self.assertGreater(len(listing.data), 7)

    def test_a_list_longer_than_a_batch_has_an_entry_for_each_number(self) -> None:
        known = [entry["npi"] for entry in self.client.search(limit=10)]
        odd: List[Any] = [None, "a,b", "Ünknown", "1" * 9_000, float(NPI), int(NPI), f" {NPI}\n"]
        numbers = [*itertools.islice(itertools.cycle(known), 1_100), *odd, UNKNOWN_NPI]
        entries = list(self.client.lookup_many(iter(numbers)))
        self.assertEqual([entry["npi"] for entry in entries[:1_100]], numbers[:1_100])
        self.assertEqual(
            [entry["verdict"] for entry in entries[1_100:]],
            ["malformed"] * 4 + ["active"] * 3 + ["not_found"],
        )
        self.assertEqual(list(self.client.lookup_many([])), [])
        body = self.client._request("/v1/providers", {"npi": f"12,{NPI}"}).json()
        self.assertEqual(list(self.client.lookup_many(["12", NPI])), body["data"])

    def test_text_is_sent_as_utf_8(self) -> None:
        name = "Gonzáléz-gómez & Söhne"
        understood = self.client.interpret(name)["understood"]
        self.assertTrue(all(each["text"] in name for each in understood), understood)
        same = [self.client.search(last_name=each).total for each in ("gonzáléz", "GONZALEZ")]
        self.assertEqual(same[0], same[1])
        self.assertGreater(same[0], 0)

    def test_parameters_of_other_types(self) -> None:
        self.client.search(first_name="bob", name_aliases=True, city=None)
        record = self.client.get(int(NPI), include=("taxonomies", "identity"))
        self.assertIn("phone", record["identity"])

    def test_refusals_are_errors_with_all_that_the_service_says(self) -> None:
        with self.assertRaises(provider_directory.NotFoundError) as unknown:
            self.client.get(UNKNOWN_NPI)
        error = unknown.exception
        self.assertEqual((error.status, error.code), (404, "provider_not_found"))
        self.assertTrue(error.request_id)
        self.assertEqual(error.rate_limit, self.client.rate_limit)
        with self.assertRaises(provider_directory.BadRequestError) as bad:
            self.client.search(state="X", limitt=3)
        self.assertEqual({each["param"] for each in bad.exception.details}, {"state", "limitt"})

    def test_an_export_that_is_not_read_to_its_end_frees_its_place(self) -> None:
        for _ in range(20):
            records = self.client.export()
            next(records)
            records.close()
        self.assertEqual(self.client.get(NPI)["npi"], NPI)

    def test_a_wrong_key_is_not_shown(self) -> None:
        wrong = "pd_live_" + "x" * 36
        with Client(wrong) as client:
            with self.assertRaises(provider_directory.AuthenticationError) as refused:
                client.search()
            self.assertNotIn(wrong, f"{refused.exception!r} {client!r}")

    def test_changes_come_page_by_page(self) -> None:
        every = list(self.client.changes_since())
        self.assertGreater(len(every), 3)
        changes = self.client.changes_since(limit=2)
        taken = [next(changes), next(changes)]
        self.assertIsNone(changes.next_cursor)
        taken.append(next(changes))
        cursor = changes.next_cursor
        self.assertEqual(taken, every[:3])
        self.assertEqual(list(self.client.changes_since(cursor)), every[2:])
        with self.assertRaises(provider_directory.CursorGoneError):
            list(self.client.changes_since("MjAyNTExMTZUMDMxNTAwMDAwWi5hbGw"))

    def test_zz_pages_of_a_snapshot_that_is_gone(self) -> None:
        entries = self.client.iter_search(limit=5)
        for _ in range(5):
            next(entries)
        served = self.client.status()["snapshot"]
        subprocess.run(shlex.split(os.environ["ROLL_BACK"]), check=True, capture_output=True)
        self.until("the rollback", lambda: bool(self.client.status()["snapshot"] != served))
        with self.assertRaises(provider_directory.SnapshotGoneError) as gone:
            next(entries)
        self.assertIn("Start again from page 1", str(gone.exception))


class Responses(Case):
    def test_all_pages_are_of_the_snapshot_of_the_first(self) -> None:
        def page(handler: Handler) -> None:
            more = "page=3" not in handler.path
            link = '</v1>; rel="first", <https://evil.example/>; rel="next"' if more else ""
            headers = {"Snapshot": SNAPSHOT, "Link": link}
            handler.reply({"data": [{}], "meta": {}}, headers=headers)

        server = self.server(page)
        self.assertEqual(len(list(server.client().iter_search(city="São Paulo"))), 3)
        query = "/v1/providers/search?limit=100&city=S%C3%A3o+Paulo"
        pages = [f"{query}&page={number}&snapshot={SNAPSHOT}" for number in (2, 3)]
        self.assertEqual(server.paths, [query, *pages])

    def test_a_cut_export_is_an_error_after_what_arrived(self) -> None:
        two = b'{"npi":"0"}\n{"npi":"1"}\n'
        chunked = {"Transfer-Encoding": "chunked"}
        gzip = {**chunked, "Content-Encoding": "gzip"}
        compressor = zlib.compressobj(wbits=31)
        compressed = compressor.compress(two) + compressor.flush(zlib.Z_SYNC_FLUSH)
        for name, headers, sent in (
            ("without the last chunk", chunked, chunk(two)),
            ("within a chunk", chunked, b"ffff\r\n" + two + b'{"npi'),
            ("compressed", gzip, chunk(compressed)),
            ("as if whole", gzip, chunk(compressed) + chunk(b"")),
            ("fewer lines", chunked, chunk(two) + chunk(b"")),
            ("short of its length", {"Content-Length": "36"}, two),
            ("by the connection", {"Connection": "close"}, two + b'{"npi":"2"'),
        ):
            with self.subTest(name):
                server = self.server(cutting({"X-Total-Count": "3", **headers}, sent))
                arrived = []
                with self.assertRaises(provider_directory.CutResponseError):
                    for record in server.client().export():
                        arrived.append(record["npi"])
                self.assertEqual((arrived, len(server.requests)), (["0", "1"], 1))

    def test_a_response_that_is_not_the_services(self) -> None:
        for body in (b"<html>", [], {"data": []}):
            server = self.server(lambda handler: handler.reply(body))
            with self.assertRaises(provider_directory.UnexpectedResponseError):
                server.client().search()
        server = self.server(lambda handler: handler.reply(b"<html>", 413))
        with self.assertRaises(provider_directory.BadRequestError) as refused:
            server.client().search()
        self.assertIsNone(refused.exception.code)

    def test_a_response_or_record_that_does_not_end_is_left(self) -> None:
        chunked = {"Transfer-Encoding": "chunked"}
        spaces = b" " * (1 << 20)
        whole = zlib.compress(spaces * 100, wbits=31)
        gzip = {"Content-Encoding": "gzip", "Content-Length": str(len(whole))}

        def endless(status: int) -> Answer:
            def answer(handler: Handler) -> None:
                handler.head(status, {**chunked, "X-Total-Count": "1"})
                with suppress(OSError):
                    while True:
                        handler.wfile.write(chunk(spaces))

            return answer

        with self.assertRaisesRegex(
            provider_directory.UnexpectedResponseError, "record is longer than 16 MiB"
        ):
            list(self.server(endless(200)).client().export())
        for answer in endless(200), endless(500), cutting(gzip, whole):
            client = self.server(answer).client(max_retries=0)
            with self.assertRaisesRegex(
                provider_directory.UnexpectedResponseError, "response is longer than 64 MiB"
            ):
                client.get(NPI)

    def test_values_that_no_service_sends(self) -> None:
        many = {"Retry-After": "9" * 5_000, "X-RateLimit-Limit": "9" * 5_000}
        for error in (b"[" * 100_000, {"error": {"code": ["x"]}}, {"error": 5}, {"error": None}):
            server = self.server(lambda handler: handler.reply(error, 400, many))
            with self.assertRaises(provider_directory.BadRequestError):
                server.client().search()
        server = self.server(lambda handler: handler.reply(b"[" * 100_000, 200, many))
        with self.assertRaises(provider_directory.UnexpectedResponseError):
            server.client().search()

    def test_a_base_url_with_a_path(self) -> None:
        server = self.server(provider)
        with Client(KEY, f"{server.url}/registry/") as client:
            client.get(NPI)
        self.assertEqual(server.paths, [f"/registry/v1/providers/{NPI}"])


class Failures(Case):
    def test_requests_that_fail_for_a_moment_are_sent_again(self) -> None:
        for answer in (
            lambda handler: handler.fail(503, "service_busy", "0"),
            lambda handler: handler.fail(502, "bad_gateway"),
            lambda handler: handler.fail(429, "rate_limit_exceeded", "1"),
            lambda handler: setattr(handler, "close_connection", True),
            cutting({"Content-Length": "9"}, b"{"),
        ):
            server = self.server(answer, provider)
            self.assertEqual(server.client().get(NPI)["npi"], NPI)
            self.assertEqual(len(server.requests), 2)

    def test_others_are_sent_once(self) -> None:
        for status, code, after in (
            (429, "quota_exceeded", "1"),
            (429, "rate_limit_exceeded", "3600"),
            (503, "files_not_ready", "3600"),
            (500, "internal_error", ""),
            (400, "invalid_parameter", ""),
        ):
            server = self.server(lambda handler: handler.fail(status, code, after))
            with self.assertRaises(provider_directory.ServiceError) as refused:
                server.client().get(NPI)
            error = refused.exception
            said = (error.status, error.code, error.retry_after)
            self.assertEqual(said, (status, code, int(after) if after else None))
            self.assertEqual(isinstance(error, QuotaExceededError), code == "quota_exceeded")
            self.assertEqual(len(server.requests), 1)

    def test_a_redirect_does_not_get_the_key(self) -> None:
        other = self.server(provider)
        for status in (301, 302, 307, 308):
            to = {"Location": f"{other.url}/?token={KEY}"}
            server = self.server(lambda handler: handler.reply(b"", status, to))
            with self.assertRaises(provider_directory.UnexpectedResponseError) as refused:
                server.client().get(NPI)
            self.assertNotIn(KEY, str(refused.exception))
        self.assertEqual(other.requests, [])

    def test_the_key_is_only_in_its_header(self) -> None:
        server = self.server(provider)
        server.client().get(NPI)
        headers = server.requests[0]
        self.assertEqual(headers.pop("Authorization"), f"Bearer {KEY}")
        self.assertNotIn(KEY, f"{server.paths} {headers}")
        with self.assertRaises(ValueError) as refused:
            Client(f"{KEY}\r\nX-Other: 1")
        self.assertNotIn(KEY, str(refused.exception))

    def test_an_npi_is_checked_before_it_is_sent(self) -> None:
        server = self.server(provider)
        for npi in ("", "197605676", "1976056767", "１９７６０５６７６６", "../search"):
            with self.assertRaises(provider_directory.InvalidNpiError):
                server.client().get(npi)
        self.assertEqual(server.requests, [])

    def test_a_server_that_is_silent_or_not_there(self) -> None:
        end = Event()
        self.addCleanup(end.set)
        server = self.server(lambda handler: end.wait(WITHIN))
        with self.assertRaises(provider_directory.TimedOutError):
            server.client(timeout=0.05, max_retries=1).get(NPI)
        self.until("both requests", lambda: len(server.requests) == 2)
        server = self.server(cutting({"Content-Length": "9"}, b"{", end))
        with self.assertRaises(provider_directory.TimedOutError):
            server.client(timeout=0.05, max_retries=0).get(NPI)
        with self.assertRaises(provider_directory.ConnectionFailedError) as failed:
            Client(KEY, NOWHERE, max_retries=0).get(NPI)
        self.assertIn(NOWHERE, str(failed.exception))

    def test_a_connection_is_used_again_until_it_is_closed(self) -> None:
        body = b'{"data":{},"meta":{}}'
        server = self.server(provider, provider, cutting({"Content-Length": "21"}, body))
        client = server.client(max_retries=0)
        for _ in range(3):
            client.get(NPI)
        self.assertEqual(server.connections, 1)
        for _ in range(2):
            client.get(NPI)
        self.assertEqual((server.connections, len(server.requests)), (3, 5))

    def test_an_export_left_early_closes_its_connection(self) -> None:
        closed = Event()

        def endless(handler: Handler) -> None:
            handler.head(200, {"Transfer-Encoding": "chunked", "X-Total-Count": "9"})
            handler.wfile.write(chunk(b'{"npi":"1"}\n'))
            handler.rfile.read(1)
            closed.set()
            handler.close_connection = True

        client = self.server(endless, provider).client()
        records = client.export()
        self.assertEqual(next(records)["npi"], "1")
        records.close()
        self.assertTrue(closed.wait(WITHIN))
        self.assertEqual(client.get(NPI)["npi"], NPI)


class Downloads(Case):
    CONTENT = bytes(range(256)) * 1_000

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "changes.parquet"
        self.etag = '"one"'
        self.sha256 = hashlib.sha256(self.CONTENT).hexdigest()
        self.listed: Dict[str, Any] = {}

    def files(self, *cuts: int) -> Server:
        """Offers a file, and cuts its first responses after some bytes."""
        left = list(cuts)

        def answer(handler: Handler) -> None:
            url = f"/v1/files/{SNAPSHOT}/{self.path.name}"
            file = {"name": self.path.name, "bytes": len(self.CONTENT), "sha256": self.sha256}
            if handler.path != url:
                entry = {**file, "url": url, **self.listed}
                handler.reply({"data": [entry], "meta": {"snapshot": SNAPSHOT}})
                return
            begin, status, headers = 0, 200, {"ETag": self.etag}
            if handler.headers["If-Range"] == self.etag:
                begin, status = int(handler.headers["Range"][6:-1]), 206
                last = len(self.CONTENT) - 1
                headers["Content-Range"] = f"bytes {begin}-{last}/{last + 1}"
            data = self.CONTENT[begin:]
            if handler.command == "HEAD" or not left:
                handler.reply(data, status, headers)
                return
            handler.head(status, {"Content-Length": str(len(data)), **headers})
            handler.wfile.write(data[: left.pop(0)])
            handler.close_connection = True

        return self.server(answer)

    def ranges(self, server: Server) -> List[Optional[str]]:
        return [headers.get("Range") for headers in server.requests[1:]]

    def test_what_was_cut_is_continued(self) -> None:
        server = self.files(100_000, 50_000)
        saved = server.client().download(self.path.name, self.folder)
        self.assertEqual((saved, saved.read_bytes()), (self.path, self.CONTENT))
        self.assertEqual(os.listdir(self.folder), [self.path.name])
        self.assertEqual(self.ranges(server), [None, "bytes=100000-", "bytes=150000-"])
        server.client().download(self.path.name, self.path)
        self.assertEqual(server.paths[4:], ["/v1/files"])

    def test_another_call_continues_and_nothing_is_there_before_the_end(self) -> None:
        server = self.files(1_000, 0)
        with self.assertRaises(provider_directory.CutResponseError):
            server.client(max_retries=0).download(self.path.name, self.path)
        self.assertFalse(self.path.exists())
        again = self.files()
        again.client().download(self.path.name, self.path)
        self.assertEqual(self.ranges(again), [None, "bytes=1000-"])
        self.assertEqual(self.path.read_bytes(), self.CONTENT)

    def test_a_file_that_changed_is_taken_from_its_beginning(self) -> None:
        server = self.files(1_000)
        answer = server.answer

        def changed(handler: Handler) -> None:
            if "Range" in handler.headers:
                self.etag = '"two"'
            answer(handler)

        server.answer = changed
        server.client().download(self.path.name, self.path)
        self.assertEqual(self.path.read_bytes(), self.CONTENT)

    def test_a_damaged_file_does_not_appear(self) -> None:
        self.sha256 = "0" * 64
        with self.assertRaises(provider_directory.ChecksumError):
            self.files().client().download(self.path.name, self.path)
        self.assertEqual(os.listdir(self.folder), [])
        with self.assertRaisesRegex(provider_directory.ProviderDirectoryError, "no file"):
            self.files().client().download("other", self.path)

    def test_a_list_can_write_nowhere_else(self) -> None:
        inside = self.folder / "a" / "b"
        inside.mkdir(parents=True)
        outside = os.path.join(self.folder, "absolute")
        for name in ("../../relative", outside, "..", ".", "", "a\\b", "c:d", "a\n"):
            self.listed = {"name": name}
            with self.assertRaises(provider_directory.UnexpectedResponseError):
                self.files().client().download(name, inside)
        for odd in ({"sha256": "/../x"}, {"bytes": "1"}, {"bytes": -1}, {"url": 5}):
            self.listed = odd
            with self.assertRaises(provider_directory.UnexpectedResponseError):
                self.files().client().download(self.path.name, inside)
        self.assertEqual((os.listdir(self.folder), os.listdir(inside)), (["a"], []))

    def test_a_file_that_does_not_end_is_left(self) -> None:
        server = self.files()
        answer = server.answer

        def endless(handler: Handler) -> None:
            if handler.path == "/v1/files":
                answer(handler)
                return
            handler.head(200, {"Connection": "close"})
            with suppress(OSError):
                while True:
                    handler.wfile.write(self.CONTENT)

        server.answer = endless
        with self.assertRaises(provider_directory.ChecksumError):
            server.client().download(self.path.name, self.path)
        self.assertEqual(os.listdir(self.folder), [])


class CommandLine(Case):
    def run_it(self, *arguments: str, **environment: str) -> Tuple[int, str, str]:
        command = [sys.executable, provider_directory.__file__, *arguments]
        env = {**os.environ, **environment}
        ended = subprocess.run(command, env=env, capture_output=True, encoding="utf-8")
        self.assertNotIn("Traceback", ended.stderr)
        return ended.returncode, ended.stdout, ended.stderr

    def test_results_are_json_lines(self) -> None:
        code, out, err = self.run_it("search", "name=john smith", "middle_initial=q", "limit=1")
        self.assertEqual((code, err), (0, "1 of 2 providers\n"))
        self.assertEqual(json.loads(out)["state"], "IL")
        self.assertEqual(json.loads(self.run_it("get", NPI)[1])["npi"], NPI)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "npis.txt"
            path.write_text(f"{NPI}\n\n12\n", encoding="utf-8-sig")
            _, out, _ = self.run_it("lookup", str(path))
        verdicts = [json.loads(line)["verdict"] for line in out.splitlines()]
        self.assertEqual(verdicts, ["active", "malformed"])

    def test_failures_are_sentences(self) -> None:
        cases: List[Tuple[int, str, List[str], Dict[str, str]]] = [
            (2, "PROVIDER_DIRECTORY_KEY", ["get", NPI], {"PROVIDER_DIRECTORY_KEY": ""}),
            (1, "key", ["get", NPI], {"PROVIDER_DIRECTORY_KEY": "wrong"}),
            (1, "Is the service running", ["status"], {"PROVIDER_DIRECTORY_URL": NOWHERE}),
            (1, "check digit", ["get", "1976056767"], {}),
            (1, "No such file", ["lookup", "/nowhere/npis.txt"], {}),
            (2, "usage", ["delete"], {}),
            (2, "usage", ["search", "smith"], {}),
            (2, "format", ["export", "format=csv"], {}),
            (2, "http", ["status"], {"PROVIDER_DIRECTORY_URL": "providers.example"}),
        ]
        for code, pattern, arguments, environment in cases:
            ended = self.run_it(*arguments, **environment)
            self.assertEqual(ended[0:2], (code, ""))
            self.assertRegex(ended[2], pattern)
