/**
 * The score of a cover (`cover.ts`): the sum of the scores of its spans and of what their places in the text cost or
 * gain, all of them logarithms to base 2: one more is twice as likely. A longer span costs once what its words cost
 * each, so it wins unless they are far more common (ADR 57).
 */

/**
 * Likelihoods of the rarest text of a kind, as logarithms to base 2: users also type what few providers have. `phrase`
 * is a specialty of our table, or of several words.
 */
export const RAREST = {
  specialty: -10,
  phrase: -7,
  place: -16,
  credential: -13,
};

/** The number of providers that a name which no one has counts as. */
export const UNKNOWN = 0.02;

/** Scores of what no counts of the registry say how likely it is, most of it in our table, `words.csv`. */
export const OWN = {
  /** Of a stop phrase, times the square root of its number of words. */
  stop: -3,
  join: -2,
  title: -1,
  suffix: -2,
  entity: -3,
  /** CENTER of URGENT CARE CENTER. */
  center: -4,
  /** DOCTOR as all physicians, and as no specialty. */
  anyDoctor: -8,
  noDoctor: -14,
  /** DR or SPECIALIST, which are never a specialty. */
  noSpecialist: -9,
  /** MIGRAINE as what a doctor treats. */
  topic: -12,
  /** The least score of a credential, and of its profession. */
  credential: -6,
  /** A word after a comma as a credential that no one else has. */
  unknownCredential: -17,
  /** A number that is neither an NPI nor a ZIP code. */
  number: -20,
} as const;

/** A letter as the initial of a first or a middle name, and one that is a word in small letters. */
export const INITIAL = { first: -5, middle: -4, word: -9 } as const;

/** Additions to the scores of some spans. */
export const MORE = {
  /** A city with its state. */
  pair: 6,
  /** The same with a city of another state, with a word that is no city, and with one before a credential. */
  pairElsewhere: 5,
  pairUnknown: -1,
  pairDegree: -9,
  cityUnknown: -8,
  /** A city's short form: NYC. */
  shortForm: 4,
  /** A state's code, and one in small letters that is a word: IN. */
  stateCode: -3,
  stateWord: -9,
  /** The whole name of an organization, per word. */
  wholeWord: 2,
  startOfName: -6,
  /** The words of a name with CLINIC or the like, and with LLC. */
  organizationWord: 2,
  legalForm: 8,
  /** A comma between the words of an organization. */
  comma: -6,
  /** A word as a name that is in neither dictionary of people's names, and one that is left out. */
  notOfPeople: -2,
  leftOut: -6,
  /** A middle initial that is left out. */
  initialDropped: -3,
  /** A credential that our table doesn't have. */
  credentialNotOwn: -4,
} as const;

/** The least score of a state, and of a word of an organization. */
export const LEAST = { state: -7, organizationWord: -26 } as const;

/** Gains of a first span, by its kind. */
export const START_OF = {
  name: -1.5,
  organization: -3,
  specialty: -2,
  place: -1.5,
};

/** Costs of a span where it is less likely than elsewhere. */
export const COST = {
  /** A second specialty, place, or distance, which is dropped. */
  second: 12,
  /** A state without the city before it. */
  stateAfterCity: 10,
  /** A name and an organization: a record has one of them. */
  nameAndOrganization: 12,
  organizationAndSpecialty: 4,
  organizationAfterPlace: 3,
  /** A name that goes on after something else. */
  interrupted: 7,
  /** A name after IN. */
  nameAfterIn: 6,
  /** A name right after a place. */
  nameAfterPlace: 7,
  nameAfterSpecialty: 1,
  /** A first name that no last name follows or precedes. */
  firstOnly: 6,
  lastThenFirst: 2,
  twoFirst: 5,
  twoLast: 3,
  twoLastJoined: 1,
  /** A comma where none is between the parts of a name. */
  comma: 6,
  /** A letter after the last name, and a whole middle name there. */
  initialAtEnd: 2,
  middleAtEnd: 8,
  wordInName: 3,
  /** A word after "last, first" that is rather a middle name. */
  afterLastFirst: 12,
  credentialWithoutName: 14,
  /** RN of "nurse, RN". */
  credentialAfterSpecialty: 4,
  credentialAfterOneName: 2,
  /** After a title, everything but a name. */
  afterTitle: 10,
  /** A title or a joining word at the end. */
  dangling: 10,
  joinInName: 4,
  titleInName: 3,
} as const;

/** Gains of a span where it is more likely than elsewhere. */
export const GAIN = {
  nameAfterTitle: 3,
  placeAfterIn: 3,
  credentialAfterComma: 3,
  credentialAfterCredential: 1,
} as const;
