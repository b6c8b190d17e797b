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

/** A setting of a table, with the type of its value. */
export function setting<T>(described: Setting<T>): Setting<T> {
  return described;
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

/** A whole number in decimal digits, from `min` to `max`; its value is in `unit`s. */
export function integer({
  min,
  max,
  unit = 1,
  ...described
}: Omit<Setting<number>, "parse"> & {
  min: number;
  max: number;
  unit?: number;
}): Setting<number> {
  return {
    ...described,
    parse(text) {
      const value = Number(text);
      if (/^[0-9]+$/.test(text) && value >= min && value <= max)
        return { ok: true, value: value * unit };
      return {
        ok: false,
        problem: `must be a whole number from ${min} to ${max}`,
      };
    },
  };
}

/** A switch, off by default. */
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

/** A switch's value from a variable. */
function parseSwitch(text: string): Parsed<boolean> {
  if (/^(1|true|yes|on)$/i.test(text)) return { ok: true, value: true };
  if (/^(0|false|no|off)$/i.test(text)) return { ok: true, value: false };
  return { ok: false, problem: "must be true or false" };
}

/** Parses one of a list of words. */
export function oneOf<T extends string>(
  choices: readonly T[],
): (text: string) => Parsed<T> {
  return function parse(text) {
    const value = choices.find((choice) => choice === text);
    return value === undefined
      ? { ok: false, problem: `must be one of ${choices.join(", ")}` }
      : { ok: true, value };
  };
}
