import type { ProxyEnv } from "node:http";
import type { Setting, SettingTable } from "./setting.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's own environment. This is the only place that knows it. */
export function processEnvironment(): Environment {
  return process.env;
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap(
  (name) => [name, name.toLowerCase()],
);

/** Flags as they were given, by name without dashes; a switch is "true" or "false". */
export type Flags = ReadonlyMap<string, string>;

/**
 * Reads settings: from the flags, else from the environment, else the default. A blank variable is an
 * absent one. What cannot be read adds a sentence to `problems`, and the fallback stands in for it.
 */
export class SettingReader {
  readonly problems: string[] = [];
  readonly #environment: Environment;
  readonly #flags: Flags;
  readonly #known: readonly Setting<unknown>[];

  /** `known` are the settings that the command takes; to read another is a bug. */
  constructor(
    environment: Environment,
    flags: Flags,
    known: readonly Setting<unknown>[],
  ) {
    this.#environment = environment;
    this.#flags = flags;
    this.#known = known;
  }

  read<T>(setting: Setting<T>): T {
    const given = this.#parse(setting);
    return given === null ? setting.fallback : given.value;
  }

  /** Reads all settings of a table. */
  readAll<Values extends object>(table: SettingTable<Values>): Values {
    const values: Partial<Values> = {};
    for (const name in table) values[name] = this.read(table[name]);
    if (!isWhole(values, table)) throw new Error("A setting was not read.");
    return values;
  }

  /** The value that was chosen, null without one. */
  readGiven<T>(setting: Setting<T>): T | null {
    return this.#parse(setting)?.value ?? null;
  }

  /** A value that has to be chosen; if it is not, a problem says so and `otherwise` is returned. */
  require<T>(setting: Setting<T | null>, otherwise: T): T {
    const before = this.problems.length;
    const value = this.readGiven(setting);
    if (value === null && this.problems.length === before) {
      this.problems.push(
        `--${setting.flag} ${setting.takes ?? ""} is required (or set ${setting.variable}).`,
      );
    }
    return value ?? otherwise;
  }

  /** The variables that name proxies, as every program reads them: they are no settings of this one. */
  proxies(): ProxyEnv {
    return Object.fromEntries(
      PROXY_VARIABLES.flatMap((name) => {
        const value = this.#environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** What was chosen, which may be null itself; null if nothing was, or if it cannot be read. */
  #parse<T>(setting: Setting<T>): { value: T } | null {
    if (!this.#known.includes(setting))
      throw new Error(
        `The command does not list its setting --${setting.flag}.`,
      );
    const found = this.#find(setting);
    if (found === null) return null;
    const parsed = setting.parse(found.text);
    if (parsed.ok) return parsed;
    const instead = setting.isSecret === true ? "" : `, not "${found.text}"`;
    this.problems.push(`${found.name} ${parsed.problem}${instead}.`);
    return null;
  }

  #find({
    flag,
    variable,
  }: Setting<unknown>): { name: string; text: string } | null {
    const given = this.#flags.get(flag);
    if (given !== undefined) return { name: `--${flag}`, text: given };
    const text = this.#environment[variable]?.trim() ?? "";
    return text === "" ? null : { name: variable, text };
  }
}

function isWhole<Values extends object>(
  values: Partial<Values>,
  table: SettingTable<Values>,
): values is Values {
  return Object.keys(table).every((name) => name in values);
}
