import type { ProxyEnv } from "node:http";
import type { Setting, SettingTable } from "./setting.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the process's environment. Only this function reads it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The way to reach a snapshot store. */
export interface StoreEnvironment {
  readonly proxy: ProxyEnv;
  /** True if AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_S3 is set. */
  readonly hasEndpoint: boolean;
  /** True if AWS_REGION or AWS_DEFAULT_REGION is set. */
  readonly hasRegion: boolean;
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap(
  (name) => [name, name.toLowerCase()],
);

/** Flags by name, without dashes. A switch is "true" or "false". */
export type Flags = ReadonlyMap<string, string>;

/**
 * Reads settings from the flags, else the environment, else the default. A blank variable counts as unset. An invalid
 * value adds a sentence to `problems` and reads as the default.
 */
export class SettingReader {
  readonly problems: string[] = [];
  readonly #environment: Environment;
  readonly #flags: Flags;
  readonly #known: readonly Setting<unknown>[];

  /** `known` are the command's settings; reading any other is a bug. */
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
    return given === null ? setting.defaultValue : given.value;
  }

  /** Reads all settings of a table. */
  readAll<Values extends object>(table: SettingTable<Values>): Values {
    const values: Partial<Values> = {};
    for (const name in table) values[name] = this.read(table[name]);
    if (!isWhole(values, table)) throw new Error("A setting was not read.");
    return values;
  }

  /** Returns the given value, or null. */
  readGiven<T>(setting: Setting<T>): T | null {
    return this.#parse(setting)?.value ?? null;
  }

  /** Names what gives the value: the variable, or the flag, also if neither is given. */
  nameOf(setting: Setting<unknown>): string {
    return this.#find(setting)?.name ?? `--${setting.flag}`;
  }

  /**
   * Reads a required value, of the command or of another setting, `by`. If it is missing, adds a problem and returns
   * `otherwise`.
   */
  require<T>(
    setting: Setting<T | null>,
    otherwise: T,
    by: Setting<unknown> | null = null,
  ): T {
    if (this.#find(setting) !== null)
      return this.readGiven(setting) ?? otherwise;
    const needed = `--${setting.flag} ${setting.placeholder ?? ""}`;
    this.problems.push(
      by === null
        ? `${needed} is required (or set ${setting.variable}).`
        : `${this.nameOf(by)} needs ${needed} (or set ${setting.variable}).`,
    );
    return otherwise;
  }

  /** Reads the standard proxy variables, which are not settings of this program. */
  proxies(): ProxyEnv {
    return Object.fromEntries(
      PROXY_VARIABLES.flatMap((name) => {
        const value = this.#environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** Reads the standard variables about reaching a snapshot store. Amazon's library reads the rest itself. */
  storeEnvironment(): StoreEnvironment {
    return {
      proxy: this.proxies(),
      hasEndpoint: this.#isSet("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"),
      hasRegion: this.#isSet("AWS_REGION", "AWS_DEFAULT_REGION"),
    };
  }

  /** Reads the variables of OpenTelemetry's SDK, which are not settings of this program. */
  openTelemetry(): Environment {
    return Object.fromEntries(
      Object.entries(this.#environment).filter(([name]) =>
        name.startsWith("OTEL_"),
      ),
    );
  }

  #isSet(...variables: string[]): boolean {
    return variables.some(
      (name) => (this.#environment[name]?.trim() ?? "") !== "",
    );
  }

  /** Parses the given value, which may itself be null; null if nothing was given or it is invalid. */
  #parse<T>(setting: Setting<T>): { value: T } | null {
    if (!this.#known.includes(setting))
      throw new Error(
        `The command does not list its setting --${setting.flag}.`,
      );
    const found = this.#find(setting);
    if (found === null) return null;
    const parsed = setting.parse(found.text);
    if (parsed.ok) return parsed;
    const isShown = setting.isSecret !== true && setting.isLong !== true;
    const instead = isShown ? `, not "${found.text}"` : "";
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
