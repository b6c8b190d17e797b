/** Each part of a row has its own sequence of random numbers, so an update can change one part and keep the rest. */
export const Stream = {
  codes: 0,
  life: 1,
  name: 2,
  place: 3,
  specialty: 4,
  rest: 5,
  practiceStreet: 6,
  mailingStreet: 7,
  update: 8,
  otherNames: 9,
  locations: 10,
  /** One for each of five locations. */
  locationStreets: 11,
  /** Above all versions of those before. */
  endpoints: 1 << 24,
  /** One for each of four endpoints. */
  endpointStreets: (1 << 24) + 1,
} as const;
/** A week's versions of the streams are this far apart. */
export const STREAMS = 16;
