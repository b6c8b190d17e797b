/** Each part of a row has its own sequence of random numbers, so that an update can change one and keep the others. */
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
  /** Of five locations, each its own. */
  locationStreets: 11,
} as const;
/** A week's own versions of the streams lie this far apart. */
export const STREAMS = 16;
