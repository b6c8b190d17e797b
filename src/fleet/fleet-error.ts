/** A snapshot cannot be published or pulled. The message says why and what to do. */
export class FleetError extends Error {
  override readonly name: string = "FleetError";
}

/** An object of the snapshot store isn't what its checksum says; fetching it again may help. */
export class DamagedObjectError extends FleetError {
  override readonly name = "DamagedObjectError";
  /** The object's key in the store. */
  readonly object: string;

  constructor(message: string, object: string, options?: ErrorOptions) {
    super(message, options);
    this.object = object;
  }
}
