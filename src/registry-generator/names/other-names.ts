import { CsvRow, type WriteRows } from "../csv-row.ts";
import { npiOfIndex } from "../npi-sequence.ts";
import type { ProviderWriter } from "../providers/provider-writer.ts";
import { Random } from "../random.ts";
import { Stream } from "../streams.ts";

/** The columns of `othername_pfile_*.csv` (NPPES Data Dissemination, Readme: Other Name Reference File). */
export const OTHER_NAME_COLUMNS: readonly string[] = [
  "NPI",
  "Provider Other Organization Name",
  "Provider Other Organization Name Type Code",
];
const NPI = 0;
const NAME = 1;
const TYPE = 2;

/** Share of organizations with another name in their own row that have more: about 7 % of all. */
const MORE_NAMES_SHARE = 0.26;
const ONE_MORE_SHARE = 0.2;
const MAX_NAMES = 4;
const DOING_BUSINESS_AS_SHARE = 0.8;
const FORMER_SHARE = 0.6;

const DIGIT_3 = 0x33;

/** Writes the other names of invented organizations that their own rows have no room for. */
export function otherNameRows(seed: number, writer: ProviderWriter): WriteRows {
  const row = new CsvRow(OTHER_NAME_COLUMNS.length);
  const random = new Random();
  return function write(target, at, index, change) {
    random.restart(seed, Stream.otherNames, index);
    if (!random.chance(MORE_NAMES_SHARE)) return at;
    const { isOrganization, isWithheld } = writer.life(index, change);
    if (!isOrganization || isWithheld) return at;
    const facts = writer.facts(index, change);
    if (!facts.hasOtherName) return at;
    random.restart(seed, Stream.otherNames + facts.nameVersion, index);
    // The first number decided whether there is a name at all.
    random.next();
    const { addresses, organizations } = writer;
    let end = at;
    for (let name = 0; name < MAX_NAMES; name++) {
      row.begin(target, end);
      row.open(NPI);
      row.putNumber(npiOfIndex(seed, index));
      row.close();
      row.open(NAME);
      organizations.put(
        row,
        random,
        facts.trade,
        addresses.namedPlace(facts.practice),
      );
      row.close();
      row.open(TYPE);
      row.putByte(DIGIT_3 + typeFrom3(random));
      row.close();
      end = row.end();
      if (!random.chance(ONE_MORE_SHARE)) break;
    }
    return end;
  };
}

/** 3: doing business as; 4: former legal business name; 5: other; minus three. */
function typeFrom3(random: Random): number {
  if (random.chance(DOING_BUSINESS_AS_SHARE)) return 0;
  return random.chance(FORMER_SHARE) ? 1 : 2;
}
