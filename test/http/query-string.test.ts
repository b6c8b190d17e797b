import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import {
  NearbyParameters,
  SearchParameters,
} from "../../src/contract/parameters.ts";
import { queryReader } from "../../src/http/queries/query-string.ts";
import { STATE_CODES } from "../../src/contract/states.ts";

const readSearch = queryReader(SearchParameters);
const readNearby = queryReader(NearbyParameters);

test("no parameters gives the defaults", () => {
  assert.deepEqual(readSearch("").value, { limit: 25, page: 1 });
  assert.deepEqual(readNearby("").value, { radius: 25, limit: 25, page: 1 });
});

test("a blank parameter is treated as missing", () => {
  for (const query of words(
    "name= name limit=&page=&state=&zip=&taxonomy=&entity_type=&status= name=%20&limit=+&city=%09 &&",
  ))
    assert.deepEqual(readSearch(query).value, { limit: 25, page: 1 }, query);
  const { value, given } = readNearby("zip=62701&lat=&lng=&radius=");
  assert.equal(value?.radius, 25);
  assert.deepEqual([...given], ["zip"]);
});

test("limit is a whole number from 1 to 100, page one from 1, in digits only", () => {
  for (const [query, expected] of [
    ["limit=1", { limit: 1, page: 1 }],
    ["limit=100&page=7", { limit: 100, page: 7 }],
    ["limit=007", { limit: 7, page: 1 }],
    ["page=9007199254740991", { limit: 25, page: Number.MAX_SAFE_INTEGER }],
  ] as const)
    assert.deepEqual(readSearch(query).value, expected);
  const bad = words(
    "0 101 -1 -0 1.0 1.5 1e1 1E1 %2B5 +5 %205 5%20 5%0A 0x5 0b1 1_0 1,000 ٥ ５ ten NaN Infinity true null",
  );
  for (const text of bad)
    assert.deepEqual(problems(`limit=${encode(text)}`), ["limit"], text);
  for (const text of ["0", "-1", "1.5", "9007199254740992", "1".repeat(400)])
    assert.deepEqual(problems(`page=${text}`), ["page"], text);
});

test("the message states the limit", () => {
  for (const [query, message] of [
    ["limit=0", "limit must be a whole number from 1 to 100."],
    ["page=0", "page must be a whole number from 1 to 9007199254740991."],
    ["zip=123", "zip must be 5 digits."],
    [
      "taxonomy=1",
      "taxonomy must be a taxonomy code of 10 letters and digits.",
    ],
    ["entity_type=x", "entity_type must be individual or organization."],
    ["status=x", "status must be active or deactivated."],
    [
      "name=!",
      "name must be at most 100 characters, with at least one letter or digit.",
    ],
    ["limit=1&limit=1", "limit is given more than once."],
  ])
    assert.equal(readSearch(query ?? "").problems[0]?.message, message);
  for (const [query, message] of [
    [
      "radius=0",
      "radius must be a decimal number of miles greater than 0 and at most 500.",
    ],
    ["lat=91", "lat must be a decimal number of degrees from -90 to 90."],
    ["lng=181", "lng must be a decimal number of degrees from -180 to 180."],
  ])
    assert.equal(readNearby(query ?? "").problems[0]?.message, message);
});

test("lat, lng and radius are finite decimal numbers within their ranges", () => {
  for (const [query, expected] of [
    ["lat=90&lng=-180&radius=500", { lat: 90, lng: -180, radius: 500 }],
    ["lat=-90.0&lng=180.00&radius=0.01", { lat: -90, lng: 180, radius: 0.01 }],
    ["lat=-0&lng=41.8789&radius=1", { lat: 0, lng: 41.8789, radius: 1 }],
  ] as const) {
    const { value } = readNearby(query);
    assert.deepEqual({ ...value }, { ...expected, limit: 25, page: 1 });
  }
  for (const [name, texts] of [
    [
      "lat",
      words(
        "90.0001 -90.1 1e1 %2B5 0x5 . - 5. .5 1..2 1,5 NaN Infinity -Infinity 41°",
      ),
    ],
    ["lng", ["180.5", "-181", "1e2", "--5"]],
    [
      "radius",
      [
        "0",
        "0.0",
        "-1",
        "500.01",
        "501",
        "1e1",
        "Infinity",
        "9".repeat(400),
        `0.${"0".repeat(400)}1`,
      ],
    ],
  ] as const) {
    for (const text of texts) {
      const { problems: found } = readNearby(`${name}=${encode(text)}`);
      assert.deepEqual(
        found.map(({ param }) => param),
        [name],
        text,
      );
    }
  }
});

test("state is a known code in any case", () => {
  assert.equal(STATE_CODES.length, 59);
  for (const code of STATE_CODES) {
    for (const text of [
      code,
      code.toLowerCase(),
      `${code[0]}${code[1]?.toLowerCase()}`,
    ])
      assert.equal(readSearch(`state=${text}`).value?.state, code);
  }
  for (const text of ["XX", "I", "ILL", "Illinois", "%20IL", "UM", "FM", "ON"])
    assert.deepEqual(problems(`state=${text}`), ["state"], text);
});

test("entity_type and status are case-insensitive, taxonomy is kept as it is", () => {
  const { value } = readSearch(
    "entity_type=INDIVIDUAL&status=Active&taxonomy=207q00000x",
  );
  assert.equal(value?.entity_type, "individual");
  assert.equal(value?.status, "active");
  assert.equal(value?.taxonomy, "207q00000x");
  for (const text of words("2 individual%20 person individual,organization"))
    assert.deepEqual(problems(`entity_type=${text}`), ["entity_type"], text);
  for (const text of words(
    "207Q00000 207Q00000XX 207Q-0000X 207Q00000é 207Q00000*",
  ))
    assert.deepEqual(problems(`taxonomy=${encode(text)}`), ["taxonomy"], text);
});

test("zip is five digits and nothing around them", () => {
  assert.equal(readSearch("zip=00501").value?.zip, "00501");
  for (const text of words(
    "6270 627011 62701-1234 627011234 6270a %2062701 62701%0A ٦٢٧٠١",
  ))
    assert.deepEqual(problems(`zip=${encode(text)}`), ["zip"], text);
});

test("a text has at most 100 characters (not UTF-16 units), at least one of them a letter or digit", () => {
  const texts = words("name first_name last_name organization city specialty");
  for (const name of texts) {
    for (const text of [
      "a".repeat(100),
      "é".repeat(100),
      "𝒳".repeat(100),
      "7",
      "*a*",
    ])
      assert.deepEqual(problems(`${name}=${encodeURIComponent(text)}`), []);
    for (const text of [
      "a".repeat(101),
      "é".repeat(101),
      "𝒳".repeat(101),
      "*",
      "-",
      "'",
      "...",
      "’",
      "ʼ",
      "!?",
      "\u0301",
      "😀",
    ])
      assert.deepEqual(problems(`${name}=${encodeURIComponent(text)}`), [name]);
  }
});

test("a repeated or unknown name is rejected, even if blank or the same", () => {
  for (const [query, expected] of [
    ["name=a&name=a", ["name"]],
    ["name=&name=", ["name"]],
    ["name=a&name=", ["name"]],
    ["name=a&n%61me=b", ["name"]],
    ["name=a&name=b&name=c", ["name"]],
    ["foo=", ["foo"]],
    ["foo", ["foo"]],
    ["foo=1&foo=2", ["foo"]],
    ["=1", [""]],
    ["Name=a", ["Name"]],
    ["name[]=a", ["name[]"]],
    ["__proto__=1", ["__proto__"]],
    ["constructor=1&toString=2", ["constructor", "toString"]],
    ["radius=5", ["radius"]],
  ] as const)
    assert.deepEqual(problems(query), expected, query);
});

test("bad parameters are listed in the order of the query string", () => {
  assert.deepEqual(
    problems("zip=1&foo=2&limit=0&state=XX&name=ok"),
    words("zip foo limit state"),
  );
  assert.deepEqual(problems("foo=2&zip=1"), ["foo", "zip"]);
  // A repeated one is listed where it was first mentioned.
  assert.deepEqual(problems("limit=5&foo=1&limit=6"), ["limit", "foo"]);
});

test("any query string gives values of the schema or problems", () => {
  const name = fc.oneof(
    fc.constantFrom(
      ...Object.keys(SearchParameters.properties),
      "foo",
      "__proto__",
    ),
    fc.string(),
  );
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.nat().map(String),
    fc.constantFrom("", "IL", "62701", "active"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const query = pairs
        .map((pair) =>
          pair.map((text) => encodeURIComponent(text.toWellFormed())).join("="),
        )
        .join("&");
      const reading = readSearch(query);
      assert.equal(reading.value === null, reading.problems.length > 0);
      const names = reading.problems.map(({ param }) => param);
      assert.equal(new Set(names).size, names.length);
    }),
    { numRuns: 300 },
  );
});

function problems(query: string): string[] {
  return readSearch(query).problems.map(({ param }) => param);
}

/** Percent-encodes what is not encoded yet. */
function encode(text: string): string {
  return encodeURI(text).replaceAll("%25", "%");
}

test("every unknown name is reported, and the valid ones are listed once", () => {
  const query = Array.from({ length: 500 }, (_, i) => `x${i}=1`).join("&");
  const { problems: found } = readSearch(query);
  assert.equal(found.length, 500);
  const listing = found.filter(({ message }) =>
    message.includes("Valid parameters"),
  );
  assert.deepEqual(listing, [found[0]]);
});

function words(text: string): string[] {
  return text.split(" ");
}
