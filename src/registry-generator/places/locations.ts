import { putTelephone } from "./address-writer.ts";
import { CsvRow, type WriteRows } from "../csv-row.ts";
import { npiOfIndex } from "../npi-sequence.ts";
import type { ProviderWriter } from "../providers/provider-writer.ts";
import { Random } from "../random.ts";
import { SkewedChoice } from "../skewed-choice.ts";
import { Stream } from "../streams.ts";

/**
 * The columns of `pl_pfile_*.csv`, spaced and named as the registry does (Readme: Practice Location Reference File).
 */
export const LOCATION_COLUMNS: readonly string[] = [
  "NPI",
  "Provider Secondary Practice Location Address- Address Line 1",
  "Provider Secondary Practice Location Address-  Address Line 2",
  "Provider Secondary Practice Location Address - City Name",
  "Provider Secondary Practice Location Address - State Name",
  "Provider Secondary Practice Location Address - Postal Code",
  "Provider Secondary Practice Location Address - Country Code (If outside U.S.)",
  "Provider Secondary Practice Location Address - Telephone Number",
  "Provider Secondary Practice Location Address - Telephone Extension",
  "Provider Practice Location Address - Fax Number",
];
const NPI = 0;
const ADDRESS = 1;
const EXTENSION = 8;
const FAX = 9;

const WITH_LOCATIONS_SHARE = 0.093;
/** The weights of one location, two, and so on: 1.6 on average. */
const COUNT_WEIGHTS = [66, 18, 8, 5, 3];
const SAME_STATE_SHARE = 0.88;
/** These addresses are as users typed them, while those of the main file are in capitals. */
const SHARES = { telephone: 0.96, fax: 0, mixedCase: 0.35 };
const EXTENSION_SHARE = 0.05;
const FAX_SHARE = 0.34;

/** Writes secondary practice locations of invented providers. */
export function locationRows(seed: number, writer: ProviderWriter): WriteRows {
  const row = new CsvRow(LOCATION_COLUMNS.length);
  const random = new Random();
  const counts = new SkewedChoice(COUNT_WEIGHTS);
  return function write(target, at, index, change) {
    random.restart(seed, Stream.locations, index);
    if (!random.chance(WITH_LOCATIONS_SHARE)) return at;
    if (writer.life(index, change).isWithheld) return at;
    const { placeVersion, practice } = writer.facts(index, change);
    random.restart(seed, Stream.locations + placeVersion, index);
    // The first number decided whether there is a location at all.
    random.next();
    const { addresses } = writer;
    const count = counts.draw(random) + 1;
    let end = at;
    for (let location = 0; location < count; location++) {
      const place = random.chance(SAME_STATE_SHARE)
        ? addresses.drawPlaceNear(random, practice)
        : addresses.drawPlace(random);
      const stream = Stream.locationStreets + location + placeVersion;
      row.begin(target, end);
      row.open(NPI);
      row.putNumber(npiOfIndex(seed, index));
      row.close();
      addresses.put(row, ADDRESS, place, stream, index, SHARES);
      if (random.chance(EXTENSION_SHARE)) {
        row.open(EXTENSION);
        row.putNumber(1 + random.below(9999));
        row.close();
      }
      if (random.chance(FAX_SHARE))
        putTelephone(row, random, FAX, addresses.areaOf(place));
      end = row.end();
    }
    return end;
  };
}
