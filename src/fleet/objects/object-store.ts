/**
 * The snapshot store: objects by key. Readers may be many, and stores may be mirrored: an object under a key with a
 * checksum never changes. All methods throw FleetError with a sentence for the operator, or the signal's reason.
 */
export interface ObjectStore extends Disposable {
  /** Its URL for messages, without a password. */
  readonly name: string;
  /** True if it can only be read. */
  readonly isReadOnly: boolean;
  /** Reads an object from byte `from`, or from the start if the store cannot send a part. Null if there is none. */
  read<Result>(
    key: string,
    from: number,
    signal: AbortSignal,
    use: (bytes: ObjectBytes) => Promise<Result>,
  ): Promise<Result | null>;
  /** Stores an object, which appears complete or not at all. */
  write(
    key: string,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Lists all objects, and what is left of interrupted writes. */
  list(signal: AbortSignal): Promise<StoredObject[]>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

export interface ObjectBytes {
  /** The position of the first one in the object. */
  readonly start: number;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** Epoch milliseconds, by the store's clock. */
  readonly modifiedMs: number;
}

const OBJECT = /^objects\/[0-9a-f]{64}\.zst$/;
const MANIFEST = /^manifests\/[0-9a-f]{64}\.json$/;

/** The key of the newest publication, for readers without PostgreSQL. */
export const PUBLICATION_KEY = "publication.json";

/** Returns the key of content with a SHA-256 (hexadecimal, of the unpacked bytes). */
export function objectKey(sha256: string): string {
  return `objects/${sha256}.zst`;
}

export function manifestKey(sha256: string): string {
  return `manifests/${sha256}.json`;
}

/** True if a key is one that publishing makes and may remove. */
export function isOfPublications(key: string): boolean {
  return OBJECT.test(key) || MANIFEST.test(key);
}
