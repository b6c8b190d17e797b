import { builtinTaxonomy } from "../../src/reference/builtin-specialties.ts";
import { loadCentroids } from "../../src/reference/centroids.ts";
import { fold } from "../../src/text/fold.ts";

/** Some hundred rows that go into a statement each. */
const ROWS_A_STATEMENT = 1000;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** The statements that make and fill the tables of specialties and centroids, in the SQL that all peers know. */
export function referenceTables(): string[] {
  return [
    "CREATE TABLE specialty (code text PRIMARY KEY, name_key text)",
    ...inserts("specialty", specialties()),
    "CREATE TABLE centroid (zip integer PRIMARY KEY, lat double precision, lng double precision, cos_lat double precision)",
    ...inserts("centroid", centroids()),
  ];
}

function specialties(): string[] {
  return Array.from(
    builtinTaxonomy().entries(),
    ([code, name]) => `('${code}', '${fold(name)}')`,
  );
}

function centroids(): string[] {
  const { zips, lat, lng } = loadCentroids();
  return Array.from(
    zips,
    (zip, index) =>
      `(${zip}, ${lat[index]}, ${lng[index]}, ${Math.cos(lat[index]! * RADIANS_PER_DEGREE)})`,
  );
}

function inserts(table: string, rows: readonly string[]): string[] {
  const statements: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const some = rows.slice(at, at + ROWS_A_STATEMENT).join(", ");
    statements.push(`INSERT INTO ${table} VALUES ${some}`);
  }
  return statements;
}
