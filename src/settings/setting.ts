/** A parsed value, or what is wrong with the text ("must be …"). */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** A setting that a flag or an environment variable sets; the flag wins. */
export interface Setting<T> {
  /** Without the dashes. */
  readonly flag: string;
  readonly variable: string;
  /** The value's placeholder in texts; null for a switch, which takes no value. */
  readonly placeholder: string | null;
  /** One or two sentences for the help. */
  readonly help: string;
  /** The default, and its text in help and docs, which may be empty. */
  readonly defaultValue: T;
  readonly defaultText: string;
  /** True if the value must never be shown. */
  readonly isSecret?: true;
  /** True if the value is too long to repeat it in a message. */
  readonly isLong?: true;
  parse(text: string): Parsed<T>;
}

/** The parts of a setting that have no default. */
type Described<T> = Omit<Setting<T>, "defaultText" | "defaultValue" | "parse"> &
  Partial<Pick<Setting<T>, "defaultText">>;

/** Makes a setting with a default, which is also its text unless that is given. */
export function setting<T>(
  described: Described<T> & Pick<Setting<T>, "defaultValue" | "parse">,
): Setting<T> {
  return { defaultText: String(described.defaultValue), ...described };
}

/** Makes a setting that is null unless it is given. */
export function optional<T>(
  described: Described<T> & Pick<Setting<T>, "parse">,
): Setting<T | null> {
  return { defaultText: "", ...described, defaultValue: null };
}

/** Makes a setting of any text, null unless it is given. */
export function anyText(described: Described<string>): Setting<string | null> {
  return optional({ parse: (value) => ({ ok: true, value }), ...described });
}

/** Makes a setting of one of several words. */
export function choice<Word extends string, Default extends Word | null>({
  choices,
  ...described
}: Omit<Described<Word>, "placeholder"> & {
  readonly choices: readonly Word[];
  readonly defaultValue: Default;
  readonly placeholder?: string;
}): Setting<Word | Default> {
  return {
    placeholder: choices.join("|"),
    defaultText: String(described.defaultValue),
    ...described,
    parse: oneOf(choices),
  };
}

/** Makes a parser of texts that a test accepts. `problem` says what they must be. */
export function valid(
  test: (text: string) => boolean,
  problem: string,
): (text: string) => Parsed<string> {
  return (value) =>
    test(value) ? { ok: true, value } : { ok: false, problem };
}

/** Settings by name. */
export type SettingTable<Values extends object> = {
  readonly [Name in keyof Values]: Setting<Values[Name]>;
};

/** The values of a table of settings, by name. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value>
    ? Value
    : never;
};

/** Makes a setting of a whole number in decimal digits, from `min` to `max`; its value is in `unit`s. */
export function integer({
  min,
  max,
  unit = 1,
  ...described
}: Described<number> & {
  defaultValue: number;
  min: number;
  max: number;
  unit?: number;
}): Setting<number> {
  return {
    defaultText: String(described.defaultValue / unit),
    ...described,
    parse(digits) {
      const value = Number(digits);
      if (/^[0-9]+$/.test(digits) && value >= min && value <= max)
        return { ok: true, value: value * unit };
      return {
        ok: false,
        problem: `must be a whole number from ${min} to ${max}`,
      };
    },
  };
}

/** Makes a switch, off by default. */
export function toggle(
  described: Pick<Setting<boolean>, "flag" | "variable" | "help">,
): Setting<boolean> {
  return {
    ...described,
    placeholder: null,
    defaultValue: false,
    defaultText: "",
    parse: parseSwitch,
  };
}

/** Parses a switch's value from a variable. */
function parseSwitch(value: string): Parsed<boolean> {
  if (/^(1|true|yes|on)$/i.test(value)) return { ok: true, value: true };
  if (/^(0|false|no|off)$/i.test(value)) return { ok: true, value: false };
  return { ok: false, problem: "must be true or false" };
}

/** Makes a parser of one of a list of words. */
function oneOf<T extends string>(
  choices: readonly T[],
): (word: string) => Parsed<T> {
  return (word) => {
    const value = choices.find((each) => each === word);
    return value === undefined
      ? { ok: false, problem: `must be one of ${choices.join(", ")}` }
      : { ok: true, value };
  };
}
