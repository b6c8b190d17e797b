import { CsvRow, type WriteRows } from "./csv-row.ts";
import { npiOfIndex } from "./npi-sequence.ts";
import type { ProviderWriter } from "./providers/provider-writer.ts";
import { Random } from "./random.ts";
import { SkewedChoice } from "./skewed-choice.ts";
import { Stream } from "./streams.ts";
import { WordPool } from "./names/word-pool.ts";

/** The columns of `endpoint_pfile_*.csv` (NPPES Data Dissemination, Readme: Endpoint Reference File). */
export const ENDPOINT_COLUMNS: readonly string[] = [
  "NPI",
  "Endpoint Type",
  "Endpoint Type Description",
  "Endpoint",
  "Affiliation",
  "Endpoint Description",
  "Affiliation Legal Business Name",
  "Use Code",
  "Use Description",
  "Other Use Description",
  "Content Type",
  "Content Description",
  "Other Content Description",
  "Affiliation Address Line One",
  "Affiliation Address Line Two",
  "Affiliation Address City",
  "Affiliation Address State",
  "Affiliation Address Country",
  "Affiliation Address Postal Code",
];
const NPI = 0;
const TYPE = 1;
const ENDPOINT = 3;
const AFFILIATION = 4;
const AFFILIATION_NAME = 6;
const USE = 7;
const OTHER_USE = 9;
const CONTENT = 10;
const ADDRESS = 13;

const WITH_ENDPOINTS_SHARE = 0.045;
/** The weights of one endpoint, two, and so on: 1.4 on average. */
const COUNT_WEIGHTS = [72, 19, 6, 3];
const AFFILIATED_SHARE = 0.35;
const USE_SHARE = 0.7;
const CONTENT_SHARE = 0.3;
/** The columns end with the address. */
const SHARES = {
  telephone: 0,
  fax: 0,
  mixedCase: 0.35,
  isCountryFirst: true,
};

/** A code with its description and weight. */
type Code = readonly [code: string, description: string, weight: number];
const TYPES: readonly (readonly [...Code, prefix: string, suffix: string])[] = [
  ["DIRECT", "Direct Messaging Address", 62, "", "@direct.example.com"],
  ["FHIR", "FHIR URL", 12, "https://fhir.example.com/", "/r4"],
  ["WEBSITE", "Website URL", 9, "https://www.example.com/", ""],
  ["CONNECT", "CONNECT URL", 6, "https://connect.example.com/", ""],
  ["RESTFUL", "RESTful URL", 4, "https://api.example.com/", ""],
  ["REGULAR", "Regular Email", 4, "", "@example.com"],
  ["SOAP", "SOAP URL", 2, "https://soap.example.com/", "?wsdl"],
  ["OTHERS", "Other URL", 1, "https://example.com/", ""],
];
const USES: readonly Code[] = [
  ["DIRECT", "Direct", 60],
  ["HIE", "Health Information Exchange (HIE)", 30],
  ["OTHER", "Other", 10],
];
const CONTENTS: readonly Code[] = [
  ["CSV", "CSV", 40],
  ["OTHER", "Other", 60],
];
const PREFIXES = new WordPool(TYPES.map(([, , , prefix]) => prefix));
const SUFFIXES = new WordPool(TYPES.map(([, , , , suffix]) => suffix));
const OTHER_WORDS = new WordPool([
  "Referrals",
  "Lab results",
  'So-called "all"',
]);

const LETTER_N = 0x4e;
const LETTER_Y = 0x59;

/** Writes electronic addresses of invented providers. */
export function endpointRows(seed: number, writer: ProviderWriter): WriteRows {
  const row = new CsvRow(ENDPOINT_COLUMNS.length);
  const random = new Random();
  const counts = new SkewedChoice(COUNT_WEIGHTS);
  const types = new CodePool(TYPES);
  const uses = new CodePool(USES);
  const contents = new CodePool(CONTENTS);
  return function write(target, at, index, change) {
    random.restart(seed, Stream.endpoints, index);
    if (!random.chance(WITH_ENDPOINTS_SHARE)) return at;
    if (writer.life(index, change).isWithheld) return at;
    const { placeVersion, practice, trade } = writer.facts(index, change);
    random.restart(seed, Stream.endpoints + placeVersion, index);
    // The first number decided whether there is an endpoint at all.
    random.next();
    const { addresses, organizations } = writer;
    const npi = npiOfIndex(seed, index);
    const count = counts.draw(random) + 1;
    let end = at;
    for (let endpoint = 0; endpoint < count; endpoint++) {
      row.begin(target, end);
      row.open(NPI);
      row.putNumber(npi);
      row.close();
      const type = types.put(row, random, TYPE);
      row.open(ENDPOINT);
      row.putWord(PREFIXES, type);
      row.putNumber(npi);
      row.putWord(SUFFIXES, type);
      row.close();
      const isAffiliated = random.chance(AFFILIATED_SHARE);
      row.open(AFFILIATION);
      row.putByte(isAffiliated ? LETTER_Y : LETTER_N);
      row.close();
      if (isAffiliated) {
        row.open(AFFILIATION_NAME);
        organizations.put(row, random, trade, addresses.namedPlace(practice));
        row.close();
      }
      if (random.chance(USE_SHARE)) {
        const use = uses.put(row, random, USE);
        if (use === USES.length - 1) {
          row.open(OTHER_USE);
          row.putWord(OTHER_WORDS, random.below(OTHER_WORDS.size));
          row.close();
        }
      }
      if (random.chance(CONTENT_SHARE)) contents.put(row, random, CONTENT);
      const stream = Stream.endpointStreets + endpoint + placeVersion;
      addresses.put(row, ADDRESS, practice, stream, index, SHARES);
      end = row.end();
    }
    return end;
  };
}

/** Draws codes by weight. */
class CodePool {
  readonly #codes: WordPool;
  readonly #descriptions: WordPool;
  readonly #choice: SkewedChoice;

  constructor(
    codes: readonly (readonly [
      code: string,
      description: string,
      weight: number,
      ...unknown[],
    ])[],
  ) {
    this.#codes = new WordPool(codes.map(([code]) => code));
    this.#descriptions = new WordPool(codes.map(([, text]) => text));
    this.#choice = new SkewedChoice(codes.map(([, , weight]) => weight));
  }

  /** Writes a code to a column and its description to the next one. Returns which code it is. */
  put(row: CsvRow, random: Random, column: number): number {
    const code = this.#choice.draw(random);
    row.open(column);
    row.putWord(this.#codes, code);
    row.close();
    row.open(column + 1);
    row.putWord(this.#descriptions, code);
    row.close();
    return code;
  }
}
