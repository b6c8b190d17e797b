"""A client of the Provider Directory Service, in one file: copy it beside your program.

It needs Python 3.9 or newer, and nothing else. The service's address and your API key are arguments
of `Client`, or the environment variables PROVIDER_DIRECTORY_URL (http://127.0.0.1:8080 if it is not
set) and PROVIDER_DIRECTORY_KEY:

    >>> from provider_directory import Client
    >>> client = Client()

One provider. The check digit is checked first, so a typo costs no request:

    >>> provider = client.get("1976056766", include=["taxonomies", "locations"])
    >>> provider["name"]["last"], provider["practice_address"]["city"]
    ('SMITH', 'CHICAGO')
    >>> client.get("1976056767")
    Traceback (most recent call last):
    provider_directory.InvalidNpiError: The check digit of NPI 1976056767 is wrong.

A search. Filters have the names of the API's parameters. Lists, dates, and booleans are written as
the API expects them, and None leaves a filter out:

    >>> page = client.search(organization="St. Mary's Lakeside", state="IL", limit=10)
    >>> page.total, page.data[0]["npi"]
    (1, '1544821568')
    >>> [entry["npi"] for entry in client.iter_search(name="john smith", middle_initial="Q")]
    ['1496412788', '1976056766']
    >>> nearest = next(client.iter_nearby(zip="60657", organization="St Marys Lakeside"))
    >>> nearest["distance_miles"]
    3.59

All pages are of the snapshot of the first one, so that an update in between neither hides nor
repeats providers. An hour after an update, that snapshot is gone, and the error is
SnapshotGoneError: start again. For long lists, use `export`.

A list of NPIs of any length, in the order given, with a verdict on each: active, deactivated,
not_found, invalid_check_digit, or malformed. Each NPI that is looked up counts as a request:

    >>> for entry in client.lookup_many(["1976056766", "1976506766", "none"]):
    ...     print(entry["npi"], entry["verdict"], entry.get("suggestions", []))
    1976056766 active []
    1976506766 invalid_check_digit ['1976056766']
    none malformed []

All records of a search. An export that ends early raises CutResponseError, after the records that
arrived. Every 100 records count as a request:

    >>> sum(1 for record in client.export(name="john smith", middle_initial="Q"))
    2

What a user typed, as a search:

    >>> meant = client.interpret("dr john q smith in chicago")
    >>> meant["operation"], sorted(meant["filters"].items())
    ('search', [('city', 'chicago'), ('middle_initial', 'Q'), ('name', 'john smith')])
    >>> client.search(**meant["filters"]).total
    2

Specialties, and the age of the data:

    >>> [taxonomy["code"] for taxonomy in client.taxonomies("fam med")]
    ['207Q00000X']
    >>> client.status()["stale"]
    False

What changed, for a copy of the data. Store `next_cursor`, and continue there the next time. It
moves on only after you have taken all changes of a page:

    >>> changes = client.changes_since(since="2026-11-15")
    >>> for change in changes:
    ...     pass  # look up change["npi"], and store the record
    >>> list(client.changes_since(changes.next_cursor))
    []

To store the cursor with each page, loop over `changes.pages()`, and store `page.next_cursor`.

Files of all data (where the installation offers them) are downloaded in pieces if need be, checked,
and only then put in place:

    client.download("providers.parquet", "data/providers.parquet")

All errors are subclasses of ProviderDirectoryError. A ServiceError says why the service refused,
and has a subclass for each kind. InvalidNpiError is raised before anything is sent. The others are
ConnectionFailedError, TimedOutError, CutResponseError, UnexpectedResponseError, and ChecksumError:

    >>> client.search(state="IL", limit=500)
    Traceback (most recent call last):
    provider_directory.BadRequestError: limit must be a whole number from 1 to 100.

Requests that fail for a moment (no connection, 502, 503, 504, and 429 with a short Retry-After) are
sent again, twice by default. The key is sent only in the Authorization header, and only to the host
of the base URL: redirects are errors. Several threads can use one client. Proxies that the
environment names are not used.

On the command line, results are JSON, one per line:

    python3 provider_directory.py search name=smith state=TX
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import random
import re
import socket
import ssl
import sys
import time
import urllib.parse
import zlib
from contextlib import closing, suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, Callable, Dict, Generator, Generic, Iterable, Iterator, List, Mapping
from typing import Optional, Type, TypedDict, TypeVar, Union

BATCH_SIZE = 500
_MAX_WAIT = 15
# The most bytes of a response that is read whole, and of a record; the service's are far shorter.
_MAX_BODY = 64 << 20
_MAX_RECORD = 16 << 20
_PIECE = 65_536
_RETRIED_STATUSES = frozenset([429, 502, 503, 504])
_NEVER_RETRIED_CODES = frozenset(["quota_exceeded", "too_many_failures"])
_TEN_DIGITS = re.compile(r"[0-9]{10}")
# Before Python 3.10, these are two.
_TIMEOUTS = (socket.timeout, TimeoutError)
_NETWORK_ERRORS = (OSError, HTTPException)

T = TypeVar("T")
Npi = Union[str, int, float, None]
Include = Union[str, Iterable[str], None]

# Shapes of responses; /reference of the service has the meaning of each value.


class PersonName(TypedDict):
    first: Optional[str]
    middle: Optional[str]
    last: Optional[str]
    credential: Optional[str]


class Taxonomy(TypedDict):
    code: str
    description: Optional[str]


class Address(TypedDict):
    address_1: Optional[str]
    address_2: Optional[str]
    city: Optional[str]
    state: Optional[str]
    postal_code: Optional[str]
    country: Optional[str]


class _Provider(TypedDict):
    npi: str
    entity_type: Optional[str]
    name: Optional[PersonName]
    organization_name: Optional[str]
    status: str
    primary_taxonomy: Optional[Taxonomy]


class _Record(_Provider):
    enumeration_date: Optional[str]
    last_updated: Optional[str]
    deactivation_date: Optional[str]
    practice_address: Optional[Address]


class Provider(_Record, total=False):
    """The record of a provider; the members declared here need `include`."""

    taxonomies: List[Dict[str, Any]]
    other_names: List[Dict[str, Any]]
    locations: List[Dict[str, Any]]
    identity: Dict[str, Any]
    mailing_address: Optional[Dict[str, Any]]
    identifiers: List[Dict[str, Any]]
    endpoints: List[Dict[str, Any]]


class SearchEntry(_Provider):
    city: Optional[str]
    state: Optional[str]


class _NearbyEntry(SearchEntry):
    distance_miles: float


class NearbyEntry(_NearbyEntry, total=False):
    matched_location: Dict[str, Any]


class _BatchEntry(TypedDict):
    npi: str
    verdict: str
    provider: Optional[Provider]
    replaced_by: Optional[str]


class BatchEntry(_BatchEntry, total=False):
    suggestions: List[str]


class _Change(TypedDict):
    npi: str
    kind: str
    date: str
    data_date: Optional[str]
    changed_fields: List[str]


class Change(_Change, total=False):
    """A change to one provider; `details` only with `include="details"`."""

    details: List[Dict[str, Any]]


@dataclass(frozen=True)
class RateLimit:
    """What is left of the monthly quota; `reset` is when it ends, in seconds since 1970."""

    limit: int
    remaining: int
    reset: int


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of results: `data`, and what the response said about it in `meta`."""

    data: List[T]
    meta: Dict[str, Any]
    snapshot: Optional[str]
    has_next: bool

    @property
    def total(self) -> int:
        """The number of results on all pages; a search by distance has none."""
        return int(self.meta["total"])

    @property
    def next_cursor(self) -> str:
        """Where changes after this page begin."""
        return str(self.meta["next_cursor"])

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)


class ProviderDirectoryError(Exception):
    """Any failure of this module."""


class InvalidNpiError(ProviderDirectoryError, ValueError):
    """The number is not an NPI. Nothing was sent."""


class ConnectionFailedError(ProviderDirectoryError):
    """No response arrived, or not all of it."""


class TimedOutError(ConnectionFailedError):
    """The service sent nothing for as long as `timeout`."""


class CutResponseError(ConnectionFailedError):
    """The response ended early; what you read of it is not everything."""


class ChecksumError(ProviderDirectoryError):
    """A downloaded file does not have the announced SHA-256; it was removed."""


class UnexpectedResponseError(ProviderDirectoryError):
    """The response is not one of the service's; often it is a proxy's, or the base URL is wrong."""


class ServiceError(ProviderDirectoryError):
    """The service responded with an error; subclasses tell the kinds apart.

    `code` is its name, which never changes (see /docs/errors of the service); None if a proxy
    responded. `details` has every bad parameter, `param` the first of them. `retry_after` says how
    many seconds to wait. Name the `request_id` when you report a problem.
    """

    def __init__(self, response: _Response, error: Mapping[str, Any]) -> None:
        status, headers = response.raw.status, response.raw.headers
        super().__init__(error.get("message") or f"HTTP {status}, without an explanation.")
        self.status = status
        self.code: Optional[str] = error.get("code")
        self.param: Optional[str] = error.get("param")
        self.details: List[Dict[str, str]] = error.get("details", [])
        self.request_id: Optional[str] = headers.get("X-Request-Id")
        self.retry_after: Optional[int] = _whole(headers.get("Retry-After", ""))
        self.rate_limit: Optional[RateLimit] = _rate_limit(headers)


class BadRequestError(ServiceError):
    """400, 405, 414, …: a parameter is wrong; see `details`."""


class AuthenticationError(ServiceError):
    """401: the API key is missing or wrong."""


class PermissionDeniedError(ServiceError):
    """403: the account may not do this."""


class NotFoundError(ServiceError):
    """404: there is no such provider, taxonomy, or path."""


class SnapshotGoneError(ServiceError):
    """The snapshot is no longer available: start again from the first page, without `snapshot`."""


class CursorGoneError(ServiceError):
    """The cursor no longer works: go on from an older one that does, or copy everything again."""


class RateLimitError(ServiceError):
    """429: too many requests; wait `retry_after` seconds."""


class QuotaExceededError(RateLimitError):
    """The month's quota is used up, or what is left is too little for this request."""


class ServerError(ServiceError):
    """500 to 599: the service, or something before it, failed or is busy."""


_ERRORS: Dict[object, Type[ServiceError]] = {
    "snapshot_gone": SnapshotGoneError,
    "cursor_gone": CursorGoneError,
    "quota_exceeded": QuotaExceededError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    429: RateLimitError,
}


def npi_fault(npi: str) -> Optional[str]:
    """Says what is wrong with an NPI; None if nothing is, though it may still be unknown."""
    if _TEN_DIGITS.fullmatch(npi) is None:
        return f"{npi[:40]!r} is not an NPI: it must be 10 digits."
    digits = [int(digit) for digit in npi]
    doubled = sum(2 * digit - 9 * (digit > 4) for digit in digits[0::2])
    # 24 is the part of the prefix 80840 in the Luhn sum.
    if (24 + doubled + sum(digits[1::2])) % 10 != 0:
        return f"The check digit of NPI {npi} is wrong."
    return None


class Client:
    """Access to one installation of the service; the module's text shows how to use it.

    `timeout` is how many seconds to wait for the next bytes. A failed request is repeated up to
    `max_retries` times, unless the service asks to wait longer than 15 seconds.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        key = (api_key or os.environ.get("PROVIDER_DIRECTORY_KEY") or "").strip()
        # http.client would quote it in its own error.
        if re.fullmatch(r"[!-~]*", key) is None:
            raise ValueError("The API key has characters that no key has.")
        url = base_url or os.environ.get("PROVIDER_DIRECTORY_URL") or "http://127.0.0.1:8080"
        parts = urllib.parse.urlsplit(url.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("The base URL must be like https://providers.example.")
        self._key = key
        host, port = parts.hostname, parts.port
        self._connect: Callable[..., HTTPConnection] = partial(HTTPConnection, host, port or 80)
        if parts.scheme == "https":
            context = ssl_context or ssl.create_default_context()
            self._connect = partial(HTTPSConnection, host, port or 443, context=context)
        self._prefix = urllib.parse.quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~")
        self._idle: List[HTTPConnection] = []
        self.base_url = f"{parts.scheme}://{parts.netloc}{self._prefix}"
        self.timeout = timeout
        self.max_retries = max_retries
        # What was left of the quota after the latest response.
        self.rate_limit: Optional[RateLimit] = None

    def __repr__(self) -> str:
        return f"Client(base_url={self.base_url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections. The client opens new ones if you use it again."""
        while self._idle:
            self._idle.pop().close()

    def get(
        self, npi: Union[str, int], *, include: Include = None, snapshot: Optional[str] = None
    ) -> Provider:
        """Returns the record of one provider. An unknown NPI is a NotFoundError."""
        number = str(npi).strip()
        fault = npi_fault(number)
        if fault is not None:
            raise InvalidNpiError(fault)
        query = {"include": include, "snapshot": snapshot}
        provider: Provider = self._request(f"/v1/providers/{number}", query).json()["data"]
        return provider

    def search(self, /, **filters: Any) -> Page[SearchEntry]:
        """Returns one page of a search: `limit` and `page` say which."""
        return self._page("/v1/providers/search", filters)

    def iter_search(self, /, **filters: Any) -> Iterator[SearchEntry]:
        """Yields all results of a search, a request per 100 unless `limit` is given."""
        return self._entries("/v1/providers/search", filters)

    def nearby(self, /, **filters: Any) -> Page[NearbyEntry]:
        """Returns one page of a search by distance from `zip`, or from `lat` and `lng`."""
        return self._page("/v1/providers/nearby", filters)

    def iter_nearby(self, /, **filters: Any) -> Iterator[NearbyEntry]:
        """Yields all results of a search by distance, nearest first."""
        return self._entries("/v1/providers/nearby", filters)

    def lookup_many(
        self, npis: Iterable[Npi], *, include: Include = None, snapshot: Optional[str] = None
    ) -> Iterator[BatchEntry]:
        """Yields an entry for each number, in the order given, a request per 500.

        What is not ten digits is malformed, and not sent; 1976056766.0 is read as an NPI.
        """
        include = _text(include)
        batch: List[str] = []
        for npi in npis:
            if isinstance(npi, float) and npi.is_integer():
                npi = int(npi)
            batch.append("" if npi is None else str(npi).strip())
            if len(batch) == BATCH_SIZE:
                yield from self._batch(batch, include, snapshot)
                batch = []
        yield from self._batch(batch, include, snapshot)

    def export(self, /, **filters: Any) -> Generator[Provider, None, None]:
        """Yields the records of all results of a search, as they arrive.

        If fewer arrive than there are, it raises CutResponseError. To stop early, `close` it.
        """
        if "format" in filters or "columns" in filters:
            raise TypeError("export yields records; it takes neither format nor columns.")
        response = self._request("/v1/providers/export", filters, stream=True)
        with closing(response):
            total = response.raw.headers.get("X-Total-Count", "")
            if not total.isdecimal():
                raise UnexpectedResponseError("The export does not say how many records it has.")
            count = 0
            for line in response.lines():
                try:
                    record: Provider = json.loads(line)
                except ValueError:
                    break
                yield record
                count += 1
            if count != int(total):
                raise CutResponseError(f"The export was cut: {count} of {total} records arrived.")

    def interpret(self, text: str, *, snapshot: Optional[str] = None) -> Dict[str, Any]:
        """Returns what a user typed as an operation with its parameters."""
        query = {"q": text, "snapshot": snapshot}
        meant: Dict[str, Any] = self._request("/v1/providers/interpret", query).json()["data"]
        return meant

    def changes_since(
        self,
        cursor: Optional[str] = None,
        *,
        since: Union[str, datetime.date, None] = None,
        include: Optional[str] = None,
        limit: int = 1000,
    ) -> Changes:
        """Returns an iterator over changes after a cursor, or from a day on, or over all."""
        query = {"cursor": cursor, "since": since, "include": include, "limit": limit}
        return Changes(self, query)

    def taxonomies(self, q: Optional[str] = None, **options: Any) -> Iterator[Dict[str, Any]]:
        """Yields specialties: those that match what is typed, or all."""
        return self._entries("/v1/taxonomies", {"q": q, **options})

    def status(self) -> Dict[str, Any]:
        """Returns the date and age of the data. It needs no key."""
        status: Dict[str, Any] = self._request("/v1/status").json()["data"]
        return status

    def files(self, *, snapshot: Optional[str] = None) -> Page[Dict[str, Any]]:
        """Returns the files that can be downloaded, of the served snapshot or another."""
        return self._page("/v1/files", {"snapshot": snapshot})

    def download(
        self, name: str, path: Union[str, os.PathLike[str]] = ".", *, snapshot: Optional[str] = None
    ) -> Path:
        """Downloads a file to a path or into a folder, and returns where it is.

        The file appears there only when it is whole and its SHA-256 is right. Until then, it grows
        beside it (`.part`), where another call continues. Nothing is done if it is there already.
        """
        listing = self.files(snapshot=snapshot)
        file = next((each for each in listing if each.get("name") == name), None)
        if file is None:
            raise ProviderDirectoryError(f"There is no file {name!r}; see `files`.")
        if not _is_file(file):
            raise UnexpectedResponseError(f"The list says of {name!r} what it says of no file.")
        target = Path(path)
        if target.is_dir():
            target = target / name
        if target.exists() and target.stat().st_size == file["bytes"]:
            if _sha256(target) == file["sha256"]:
                return target
        part = target.with_name(f".{target.name}.{file['sha256'][:16]}.part")
        self._complete(file, part)
        if _sha256(part) != file["sha256"]:
            part.unlink()
            raise ChecksumError(f"{name} arrived damaged. It was removed; download it again.")
        os.replace(part, target)
        return target

    def _page(self, path: str, query: Mapping[str, Any]) -> Page[Any]:
        response = self._request(path, query)
        body, headers = response.json(), response.raw.headers
        return Page(
            data=body["data"],
            meta=body["meta"],
            snapshot=headers.get("Snapshot"),
            has_next=re.search(r'rel="?next\b', headers.get("Link", "")) is not None,
        )

    def _entries(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        """Yields the entries of all pages, of the first page's snapshot."""
        asked: Dict[str, Optional[str]] = {"limit": "100"}
        asked.update({name: _text(value) for name, value in query.items()})
        while True:
            page = self._page(path, asked)
            yield from page.data
            if not page.has_next:
                return
            if page.snapshot is None:
                raise UnexpectedResponseError("The response does not name its snapshot.")
            asked.update(page=str(int(asked.get("page") or 1) + 1), snapshot=page.snapshot)

    def _batch(
        self, numbers: List[str], include: Include, snapshot: Optional[str]
    ) -> Iterator[BatchEntry]:
        """Yields the entries of at most 500 numbers."""
        sent = [number for number in numbers if _TEN_DIGITS.fullmatch(number)]
        found: List[BatchEntry] = []
        if sent:
            query = {"npi": sent, "include": include, "snapshot": snapshot}
            found = self._request("/v1/providers", query).json()["data"]
        if [entry["npi"] for entry in found] != sent:
            raise UnexpectedResponseError("The response is not about the numbers that were sent.")
        entries = iter(found)
        for number in numbers:
            if _TEN_DIGITS.fullmatch(number):
                yield next(entries)
            else:
                yield BatchEntry(npi=number, verdict="malformed", provider=None, replaced_by=None)

    def _complete(self, file: Dict[str, Any], part: Path) -> None:
        """Downloads what is missing of a file, in as many pieces as it takes."""
        if not file["url"].startswith("/") or file["url"].startswith("//"):
            raise UnexpectedResponseError(f"The address of {file['name']} is on another host.")
        etag: Optional[str] = None
        most = failures = 0
        while True:
            have = part.stat().st_size if part.exists() else -1
            if have >= file["bytes"]:
                return
            if have > 0 and etag is None:
                etag = self._request(file["url"], method="HEAD").raw.headers.get("ETag")
            headers = {"Accept-Encoding": "identity"}
            if have > 0 and etag is not None:
                headers.update({"Range": f"bytes={have}-", "If-Range": etag})
            response = self._request(file["url"], headers=headers, stream=True)
            with closing(response):
                etag = response.raw.headers.get("ETag")
                is_rest = response.raw.status == 206
                begin = response.raw.headers.get("Content-Range", "")
                if is_rest and not begin.startswith(f"bytes {have}-"):
                    raise UnexpectedResponseError("The response is another part of the file.")
                # 200 is the whole file, from its first byte.
                with open(part, "ab" if is_rest else "wb") as out:
                    with suppress(ConnectionFailedError):
                        for piece in response.pieces():
                            out.write(piece)
                            # Its SHA-256 is wrong already.
                            if out.tell() > file["bytes"]:
                                break
                    out.flush()
                    os.fsync(out.fileno())
                    have = out.tell()
            if have < file["bytes"]:
                # Bytes that arrived are progress, and begin a new count.
                failures = 0 if have > most else failures + 1
                most = max(most, have)
                if failures > self.max_retries:
                    raise CutResponseError(
                        f"{file['name']} was cut. Download it again to continue."
                    )
                time.sleep(_backoff(failures))

    def _request(
        self,
        path: str,
        query: Mapping[str, Any] = {},
        headers: Mapping[str, str] = {},
        method: str = "GET",
        stream: bool = False,
    ) -> _Response:
        """Sends a request, again if it fails for a moment, and returns its response.

        Unless it is to be read as a stream, its body has been read whole.
        """
        given = {name: text for name, value in query.items() if (text := _text(value)) is not None}
        target = self._prefix + path
        if given:
            target += "?" + urllib.parse.urlencode(given, safe=",")
        sent = {"User-Agent": "provider-directory-python", "Accept-Encoding": "gzip", **headers}
        if self._key:
            sent["Authorization"] = f"Bearer {self._key}"
        attempt = 0
        while True:
            try:
                return self._checked(self._exchange(method, target, sent), stream)
            except (ConnectionFailedError, ServiceError) as error:
                wait = self._wait_after(error, attempt)
                if wait is None or attempt >= self.max_retries:
                    raise
            time.sleep(wait)
            attempt += 1

    def _wait_after(self, error: ProviderDirectoryError, attempt: int) -> Optional[float]:
        """Returns how long to wait before the request is repeated; None if it must not be."""
        if not isinstance(error, ServiceError):
            return _backoff(attempt)
        if error.status not in _RETRIED_STATUSES or error.code in _NEVER_RETRIED_CODES:
            return None
        asked = error.retry_after
        if asked is None:
            return None if error.status == 429 else _backoff(attempt)
        return asked + random.uniform(0.0, 0.25) if asked <= _MAX_WAIT else None

    def _checked(self, response: _Response, stream: bool) -> _Response:
        """Returns a response if it is a success, and raises the error that it is otherwise."""
        status, headers = response.raw.status, response.raw.headers
        if not stream or status not in (200, 206):
            with closing(response):
                response.body = response.whole()
        self.rate_limit = _rate_limit(headers) or self.rate_limit
        if status in (200, 206):
            return response
        if 300 <= status < 400:
            to = urllib.parse.urlsplit(headers.get("Location", "")).hostname
            raise UnexpectedResponseError(
                f"{self.base_url} redirects to {to}. Nothing was sent there."
            )
        raise _refusal(response)

    def _exchange(self, method: str, target: str, headers: Dict[str, str]) -> _Response:
        """Sends a request on an idle connection, or on a new one, and reads the response's head."""
        while True:
            try:
                connection, is_new = self._idle.pop(), False
            except IndexError:
                connection, is_new = self._connect(timeout=self.timeout), True
            try:
                connection.request(method, target, headers=headers)
                return _Response(self, connection, connection.getresponse(), method)
            except _NETWORK_ERRORS as error:
                connection.close()
                if isinstance(error, _TIMEOUTS):
                    raise TimedOutError(f"No response from {self.base_url} in time.") from error
                # The service closes connections that were idle for long; another one may be open.
                if is_new:
                    message = f"No response from {self.base_url}: {error or type(error).__name__}"
                    raise ConnectionFailedError(message) from error


class Changes(Iterator[Change]):
    """Changes after a cursor, page by page. Iterate over it, or over its `pages`, once.

    `next_cursor` is where to continue: it moves on once all changes of a page were taken.
    `complete_since` is when the list begins: a copy of older data must be made again.
    """

    def __init__(self, client: Client, query: Mapping[str, Any]) -> None:
        self.next_cursor: Optional[str] = query.get("cursor")
        self.complete_since: Optional[str] = None
        self._client = client
        self._query = dict(query)
        self._changes = (change for page in self.pages() for change in page)

    def __next__(self) -> Change:
        return next(self._changes)

    def pages(self) -> Iterator[Page[Change]]:
        """Yields pages of changes. After you applied one, `page.next_cursor` is safe to store."""
        while True:
            page: Page[Change] = self._client._page("/v1/changes", self._query)
            self.complete_since = page.meta["complete_since"]
            yield page
            self.next_cursor = page.next_cursor
            if not page.meta["has_more"]:
                return
            self._query.update(since=None, cursor=page.next_cursor)


class _Response:
    """A response whose body is read once, and whose early end is an error.

    `body` is the whole body, unless it is read as a stream.
    """

    def __init__(
        self, client: Client, connection: HTTPConnection, raw: HTTPResponse, method: str
    ) -> None:
        self.raw = raw
        self.body = b""
        self._client = client
        self._connection: Optional[HTTPConnection] = connection
        # How many bytes are missing; None if only the connection tells.
        self._left = None if raw.chunked else _whole(raw.headers.get("Content-Length", ""))
        if method == "HEAD" or raw.status == 304:
            self._left = 0

    def close(self) -> None:
        """Closes the connection, unless the body was read to its end."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def json(self) -> Any:
        """Returns the body that was read whole, an object with `data` and `meta`."""
        try:
            body = json.loads(self.body)
            return {"data": body["data"], "meta": body["meta"]}
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UnexpectedResponseError("This is not a Provider Directory Service.") from error

    def whole(self) -> bytes:
        """Returns the body, unless it is longer than any of the service's."""
        body = bytearray()
        for piece in self.pieces():
            body += piece
            _refuse_long("response", body, _MAX_BODY)
        return bytes(body)

    def lines(self) -> Iterator[bytes]:
        """Yields the lines of the body, the last one even if it has no end."""
        rest = b""
        for piece in self.pieces():
            *lines, rest = (rest + piece).split(b"\n")
            _refuse_long("record", rest, _MAX_RECORD)
            yield from lines
        if rest:
            yield rest

    def pieces(self) -> Iterator[bytes]:
        """Yields the body as it arrives, decompressed."""
        encoding = self.raw.headers.get("Content-Encoding", "").lower()
        if encoding != "gzip" or self._left == 0:
            yield from self._received()
            return
        decompressor = zlib.decompressobj(wbits=31)
        try:
            for piece in self._received():
                while piece:
                    yield decompressor.decompress(piece, _PIECE)
                    piece = decompressor.unconsumed_tail
            yield decompressor.flush()
        except zlib.error as error:
            raise UnexpectedResponseError("The response is not the gzip that it claims.") from error
        if not decompressor.eof:
            raise CutResponseError("The response was cut.")

    def _received(self) -> Iterator[bytes]:
        """Yields the bytes of the body. At its end, the connection is free for another request."""
        try:
            while self._left != 0:
                piece = self.raw.read1(_PIECE if self._left is None else min(_PIECE, self._left))
                if not piece:
                    break
                if self._left is not None:
                    self._left -= len(piece)
                yield piece
            if self._left:
                raise EOFError
        except _TIMEOUTS as error:
            raise TimedOutError("The rest of the response did not arrive in time.") from error
        except (EOFError, *_NETWORK_ERRORS) as error:
            raise CutResponseError("The response was cut.") from error
        self.raw.close()
        if self._connection is not None and not self.raw.will_close:
            self._client._idle.append(self._connection)
            self._connection = None


def _refuse_long(what: str, data: Union[bytes, bytearray], most: int) -> None:
    if len(data) > most:
        raise UnexpectedResponseError(f"A {what} is longer than {most >> 20} MiB.")


def _refusal(response: _Response) -> ServiceError:
    """Returns the error that a response is."""
    status = response.raw.status
    try:
        error: Dict[str, Any] = dict(json.loads(response.body)["error"])
    except (ValueError, KeyError, TypeError, RecursionError):
        error = {}
    if not isinstance(error.get("code", ""), str):
        error = {}
    kind = _ERRORS.get(error.get("code")) or _ERRORS.get(status)
    return (kind or (ServerError if status >= 500 else BadRequestError))(response, error)


def _text(value: Any) -> Optional[str]:
    """Returns a parameter's value as the API expects it; None if it is not to be sent."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # Without an exponent, which the API does not read.
        return format(Decimal(str(value)), "f")
    if isinstance(value, Iterable):
        return ",".join(text for each in value if (text := _text(each)) is not None)
    return str(value)


def _backoff(failures: int) -> float:
    """Returns how many seconds to wait after some failures, a little by chance."""
    return float(min(8.0, 0.5 * 2**failures) * random.uniform(0.5, 1.0))


def _rate_limit(headers: HTTPMessage) -> Optional[RateLimit]:
    names = ("Limit", "Remaining", "Reset")
    limit, remaining, reset = (_whole(headers.get(f"X-RateLimit-{name}", "")) for name in names)
    if limit is None or remaining is None or reset is None:
        return None
    return RateLimit(limit, remaining, reset)


def _whole(text: str) -> Optional[int]:
    """Returns the number that a header is; None if it is none, or one of very many digits."""
    return int(text) if re.fullmatch("[0-9]{1,15}", text) else None


def _is_file(file: Mapping[str, Any]) -> bool:
    """True if a list's entry can be downloaded. Its name becomes a path here, and leads nowhere else."""
    name, sha256, size = file["name"], file.get("sha256"), file.get("bytes")
    return (
        re.fullmatch(r"\w[\w.-]*", name) is not None
        and re.fullmatch("[0-9a-f]{64}", str(sha256)) is not None
        and isinstance(size, int)
        and size >= 0
        and isinstance(file.get("url"), str)
    )


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


_USAGE = """usage: python3 provider_directory.py get NPI | lookup FILE | search NAME=VALUE … |
       export NAME=VALUE … | download NAME [PATH] | status
PROVIDER_DIRECTORY_URL and PROVIDER_DIRECTORY_KEY are the service's address and your API key."""


def _run(command: str, values: List[str]) -> Iterable[Any]:
    """Yields what a command prints."""
    client = Client()
    filters = dict(each.split("=", 1) for each in values if "=" in each)
    if command == "get" and len(values) == 1:
        yield client.get(values[0])
    elif command == "lookup" and len(values) == 1:
        with open(values[0], encoding="utf-8-sig") as lines:
            yield from client.lookup_many(line for line in lines if line.strip())
    elif command == "search" and len(filters) == len(values):
        page = client.search(**filters)
        yield from page
        print(f"{len(page.data)} of {page.total} providers", file=sys.stderr)
    elif command == "export" and len(filters) == len(values):
        yield from client.export(**filters)
    elif command == "download" and len(values) in (1, 2):
        yield str(client.download(*values))
    elif command == "status" and not values:
        yield client.status()
    else:
        raise ValueError(_USAGE)


def main(arguments: List[str]) -> int:
    """Runs a command, prints results as JSON, and returns the exit code."""
    command, *values = arguments or [""]
    if command in ("help", "--help"):
        print(_USAGE)
        return 0
    try:
        if command not in ("", "status") and not os.environ.get("PROVIDER_DIRECTORY_KEY"):
            raise ValueError("Set PROVIDER_DIRECTORY_KEY to your API key.")
        for result in _run(command, values):
            print(json.dumps(result), flush=True)
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except (ProviderDirectoryError, OSError, TypeError, ValueError) as error:
        print(error, file=sys.stderr)
        if isinstance(error, ConnectionFailedError):
            print("Is the service running? PROVIDER_DIRECTORY_URL says where.", file=sys.stderr)
        return 1 if isinstance(error, (ProviderDirectoryError, OSError)) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
