import type { ColumnValues } from "../parquet/column-values.ts";
import type { ParquetWriter, ShapeValues } from "../parquet/parquet-writer.ts";
import { expected, JsonBytes, type Expected } from "./json-bytes.ts";
import type { TableColumn } from "./columns.ts";

const LF = 0x0a;
const COMMA = 0x2c;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;
/** The most members of an object: the bits of a number. */
const MAX_MEMBERS = 31;

/** A table to which lines are added. */
export interface LineTable {
  readonly columns: readonly TableColumn[];
  readonly writer: ParquetWriter;
  /** The list in a line whose entries are its rows; null if the lines are. */
  readonly list: string | null;
}

/** A place in a line: reads what is there into columns, or adds nulls to them if nothing is. */
interface Place {
  /** `repetition` and `definition` are the levels of what it is in. */
  read(json: JsonBytes, repetition: number, definition: number): void;
  addNulls(repetition: number, definition: number): void;
}

/**
 * Adds lines of NDJSON to the columns of tables. A line's bytes become those of the columns: no value is made of them,
 * and an equal value is kept once, so this takes a fifth of the time of JSON.parse and of what follows it.
 */
export class LineReader {
  readonly #json = new JsonBytes();
  readonly #root = new ObjectPlace(0);
  readonly #writers: readonly ParquetWriter[];

  constructor(tables: readonly LineTable[]) {
    for (const { columns, list, writer } of tables) {
      const entries = list === null ? null : new EntriesPlace(writer);
      if (list !== null && entries !== null) this.#root.put(list, entries);
      for (const [index, { path }] of columns.entries()) {
        const place = placeOf(writer.values[index]!);
        if (entries === null) this.#root.putAt(path, place);
        else if (path[0] === list) entries.entry.putAt(path.slice(1), place);
        else entries.repeat(this.#root.textAt(path), writer.values[index]!);
      }
    }
    this.#writers = tables
      .filter(({ list }) => list === null)
      .map(({ writer }) => writer);
  }

  /** Reads whole lines. Throws if a line is not compact JSON, or has a member that is in no table. */
  read(lines: Uint8Array): void {
    const json = this.#json;
    json.open(lines);
    while (json.at < json.end) {
      this.#root.read(json, 0, 0);
      json.expect(LF);
      for (const writer of this.#writers) writer.endRow();
    }
  }
}

/** An object's members. If it is no column itself, they are columns of what it is in. */
class ObjectPlace implements Place {
  /** The start of each member, such as `"npi":`. */
  readonly #starts: Expected[] = [];
  readonly #members: Place[] = [];
  readonly #names: string[] = [];
  /** The definition level that it adds if it is there. */
  readonly #level: number;

  constructor(level: number) {
    this.#level = level;
  }

  put(name: string, place: Place): void {
    if (this.#members.length === MAX_MEMBERS)
      throw new Error(`An object has more than ${MAX_MEMBERS} members`);
    this.#names.push(name);
    this.#starts.push(expected(`${JSON.stringify(name)}:`));
    this.#members.push(place);
  }

  /** Puts a place in objects that are nested in this one. */
  putAt([name, ...inner]: readonly string[], place: Place): void {
    if (name === undefined) throw new Error("A column's path is empty");
    if (inner.length === 0) return this.put(name, place);
    let object = this.#find(name);
    if (object === undefined) this.put(name, (object = new ObjectPlace(0)));
    if (!(object instanceof ObjectPlace))
      throw new Error(`Two columns have ${name}`);
    object.putAt(inner, place);
  }

  /** Returns the text at a path; adds it if no column has it. */
  textAt(path: readonly string[]): TextPlace {
    const [name = ""] = path;
    let text = this.#find(name);
    if (text === undefined) this.put(name, (text = new TextPlace(null)));
    if (path.length > 1 || !(text instanceof TextPlace))
      throw new Error(`Rows can't repeat ${name}`);
    return text;
  }

  read(json: JsonBytes, repetition: number, definition: number): void {
    if (json.passNull()) return this.addNulls(repetition, definition);
    json.expect(OBJECT);
    const members = this.#members;
    const inside = definition + this.#level;
    let seen = 0;
    let next = 0;
    if (!json.pass(OBJECT_END)) {
      do {
        const member = this.#passStart(json, next);
        seen |= 1 << member;
        next = member + 1;
        members[member]!.read(json, repetition, inside);
      } while (json.pass(COMMA));
      json.expect(OBJECT_END);
    }
    if (seen === 2 ** members.length - 1) return;
    for (const [member, place] of members.entries())
      if ((seen & (1 << member)) === 0) place.addNulls(repetition, inside);
  }

  addNulls(repetition: number, definition: number): void {
    for (const member of this.#members) member.addNulls(repetition, definition);
  }

  /** Passes the start of a member, probably of `next`. Returns which one it is. */
  #passStart(json: JsonBytes, next: number): number {
    const starts = this.#starts;
    for (let i = next; i < starts.length; i++)
      if (json.passAll(starts[i]!)) return i;
    for (let i = 0; i < next; i++) if (json.passAll(starts[i]!)) return i;
    return json.fail();
  }

  #find(name: string): Place | undefined {
    return this.#members[this.#names.indexOf(name)];
  }
}

/** A list whose entries are rows of a table. */
class EntriesPlace implements Place {
  readonly entry = new ObjectPlace(0);
  readonly #writer: ParquetWriter;
  readonly #repeated: {
    readonly from: TextPlace;
    readonly to: ColumnValues;
  }[] = [];

  constructor(writer: ParquetWriter) {
    this.#writer = writer;
  }

  /** Adds a text of the line, which comes before the list, to each row. */
  repeat(from: TextPlace, to: ShapeValues): void {
    if ("add" in to) this.#repeated.push({ from, to });
  }

  read(json: JsonBytes): void {
    if (json.passNull()) return;
    json.expect(LIST);
    if (json.pass(LIST_END)) return;
    do {
      this.entry.read(json, 0, 0);
      for (const { from, to } of this.#repeated) from.repeat(to);
      this.#writer.endRow();
    } while (json.pass(COMMA));
    json.expect(LIST_END);
  }

  addNulls(): void {}
}

/** A list that is a value. */
class ListPlace implements Place {
  readonly #item: Place;
  readonly #repetition: number;

  /** `repetition` is the level of items after the first. */
  constructor(item: Place, repetition: number) {
    this.#item = item;
    this.#repetition = repetition;
  }

  read(json: JsonBytes, repetition: number, definition: number): void {
    if (json.passNull()) return this.addNulls(repetition, definition);
    json.expect(LIST);
    if (json.pass(LIST_END)) return this.addNulls(repetition, definition + 1);
    let level = repetition;
    do {
      this.#item.read(json, level, definition + 2);
      level = this.#repetition;
    } while (json.pass(COMMA));
    json.expect(LIST_END);
  }

  addNulls(repetition: number, definition: number): void {
    this.#item.addNulls(repetition, definition);
  }
}

/** A text, or another value that is no object or list. */
class TextPlace implements Place {
  readonly #values: ColumnValues | null;
  #source: Uint8Array = new Uint8Array(0);
  #from = 0;
  #to = 0;

  constructor(values: ColumnValues | null) {
    this.#values = values;
  }

  read(json: JsonBytes, repetition: number, definition: number): void {
    if (json.passNull()) return this.addNulls(repetition, definition);
    json.read();
    this.#source = json.source;
    this.#from = json.from;
    this.#to = json.to;
    this.#values?.add(json.source, json.from, json.to, repetition);
  }

  addNulls(repetition: number, definition: number): void {
    this.#values?.addNull(repetition, definition);
  }

  /** Adds the line's text to a column. */
  repeat(values: ColumnValues): void {
    values.add(this.#source, this.#from, this.#to, 0);
  }
}

function placeOf(values: ShapeValues): Place {
  if ("items" in values)
    return new ListPlace(placeOf(values.items), values.list);
  if ("add" in values) return new TextPlace(values);
  const object = new ObjectPlace(1);
  for (const [name, member] of values.members)
    object.put(name, placeOf(member));
  return object;
}
