import { drawGivenName, drawSurname } from "./names.ts";
import { type Place, type PlaceMap, cityOf } from "./places.ts";
import { Random } from "./random.ts";
import { SkewedChoice } from "./skewed-choice.ts";
import { words, type Words } from "./words.ts";

/** Chains: organizations that the registry lists many times under one name, once per location. */
const CHAINS_PER_TRADE = 9000;
const CHAIN_SHARE = 0.5;
const CHAIN_STREAM = 0x0c4a0000;

const SCENES = words(`
4 LAKESIDE RIVERSIDE VALLEY SUMMIT PREMIER HORIZON EVERGREEN CORNERSTONE COMMUNITY ADVANCED COMPREHENSIVE INTEGRATED
2 SUNRISE HARMONY BLUE_SKY NEW_HOPE HEARTLAND COMPASS LIGHTHOUSE CEDAR_GROVE MAPLE_LEAF SILVER_BIRCH STONEBRIDGE CLEARWATER
NORTH_STAR CARING_HANDS TRUE_NORTH SERENITY COMPLETE TOTAL MODERN UNITED FIRST_CHOICE BETTER_DAYS OPEN_ARMS HEALING_TREE
PEACEFUL_PATH MINDFUL WHOLE_LIFE VITAL RADIANT THRIVING BLOOM LOTUS PHOENIX EAGLE_RIDGE FALCON_CREEK BEACON ANCHOR HARBOR
1 COASTAL MOUNTAIN_VIEW LAKESHORE PRAIRIE MEADOWBROOK WILLOW_CREEK OAK_HILL PINE_RIDGE SAGEBRUSH CANYON DESERT_ROSE
MAGNOLIA DOGWOOD HERON CARDINAL BLUEBIRD SPARROW GRACE FAITHFUL COVENANT PATHWAY STEPPING_STONES BUILDING_BLOCKS RAINBOW
LITTLE_STEPS STARLIGHT AMBER SAPPHIRE EMERALD KEYSTONE LIBERTY PIONEER FRONTIER HERITAGE LEGACY COLONIAL METRO TRI-COUNTY
MIDTOWN UPTOWN NORTHSIDE SOUTHSIDE EASTGATE WESTBROOK CROSSROADS GATEWAY LANDMARK PINNACLE APEX ZENITH ALPINE ELITE PRIME
OPTIMAL DYNAMIC ACTIVE KINETIC RENEW RESTORE REVIVE INSPIRE FLOURISH ALLIANCE UNITY COMMON_GROUND CHILDREN'S WOMEN'S`);
const SAINTS = words(`
4 ST_MARYS ST_JOSEPHS ST_LUKES MERCY GOOD_SAMARITAN 2 ST._JOHN'S ST_VINCENT ST_ANNE'S HOLY_CROSS TRINITY PROVIDENCE
SACRED_HEART OUR_LADY_OF_GRACE BETHANY CALVARY GOOD_SHEPHERD LAKE_COUNTY TRI-COUNTY MEMORIAL UNIVERSITY`);
const TITLES = words("5 MD 2 DDS DO 1 DPM M.D. LCSW DC DMD");
const LEGAL_FORMS = words(`
26 "" 27 _LLC 10 _INC 7 ,_INC. _PLLC 6 ,_LLC 4 _PC 2 ,_P.C. _PA _CORP 1.5 _LTD 1 ,_P.A. _CORPORATION ,_INC
0.7 _LLP _CO _L.L.C. 0.5 _INCORPORATED`);

interface Trade {
  readonly number: number;
  readonly fields: Words;
  readonly kinds: Words;
}

/** Trades: what their organizations do, and what sort of organization they are. */
const TRADES: ReadonlyMap<string, Trade> = new Map(
  `
medical: 3 FAMILY_MEDICINE PRIMARY_CARE MEDICAL 2 INTERNAL_MEDICINE HEALTH FAMILY_HEALTH 1 WELLNESS FAMILY_PHYSICIANS HEALTHCARE | 4 "" 2 _CLINIC _ASSOCIATES _GROUP 1 _CENTER _PARTNERS _PRACTICE _SERVICES _OF_THE_VALLEY
specialist: CARDIOLOGY SURGICAL ORTHOPEDIC WOMEN'S_HEALTH ANESTHESIA RADIOLOGY DERMATOLOGY UROLOGY ONCOLOGY NEUROLOGY EMERGENCY | 1 "" 2 _ASSOCIATES _SPECIALISTS 1 _GROUP _PHYSICIANS _CENTER _CONSULTANTS _INSTITUTE _PARTNERS
pediatric: 3 PEDIATRICS 1 CHILDREN'S_CLINIC PEDIATRIC KIDS_HEALTH CHILDREN'S_MEDICAL | 3 "" 1 _ASSOCIATES _GROUP _CENTER _&_ADOLESCENT_CARE _PARTNERS
counseling: 3 COUNSELING 2 BEHAVIORAL_HEALTH PSYCHOTHERAPY MENTAL_HEALTH 1 FAMILY_THERAPY RECOVERY PSYCHOLOGICAL | 1 "" 2 _SERVICES _CENTER 1 _ASSOCIATES _GROUP _&_WELLNESS _COLLECTIVE _SOLUTIONS _PRACTICE
therapy: 3 PHYSICAL_THERAPY SPEECH_THERAPY 1 OCCUPATIONAL_THERAPY REHABILITATION SPORTS_MEDICINE PEDIATRIC_THERAPY AUTISM | 3 "" 1 _CENTER _SERVICES _ASSOCIATES _&_WELLNESS _SPECIALISTS _CLINIC _GROUP
dental: 3 DENTAL FAMILY_DENTISTRY 1 DENTISTRY ORTHODONTICS PEDIATRIC_DENTISTRY ORAL_SURGERY SMILES | 2 "" _GROUP _CARE 1 _ASSOCIATES _CENTER _STUDIO _ARTS
eye: EYE VISION EYECARE OPTICAL OPHTHALMOLOGY | 2 _CENTER _ASSOCIATES 1 _PROFESSIONALS _CLINIC _GROUP _INSTITUTE
chiropractic: 4 CHIROPRACTIC 1 SPINE FAMILY_CHIROPRACTIC SPINE_&_WELLNESS ACUPUNCTURE | 2 "" _CENTER _CLINIC 1 _&_WELLNESS _GROUP _OFFICE
foot: FOOT_AND_ANKLE PODIATRY FOOT_&_ANKLE | "" _CENTER _ASSOCIATES _SPECIALISTS _CLINIC _GROUP
homeCare: 4 HOME_HEALTH HOME_CARE 1 IN-HOME_CARE SENIOR_CARE HOSPICE PERSONAL_CARE COMPANION_CARE PRIVATE_NURSING | 2 "" _AGENCY _SERVICES 1 _GROUP _PROVIDERS _SOLUTIONS _PARTNERS
hospital: 4 REGIONAL MEMORIAL COMMUNITY 2 COUNTY GENERAL CHILDREN'S UNIVERSITY | 4 _HOSPITAL _MEDICAL_CENTER 1 _HEALTH_SYSTEM _HOSPITAL_DISTRICT _HOSPITAL_&_CLINICS
clinic: COMMUNITY_HEALTH URGENT_CARE FAMILY_HEALTH SURGERY DIALYSIS RURAL_HEALTH WALK-IN AMBULATORY_SURGERY | 3 _CENTER _CLINIC 1 _CENTERS _SERVICES _NETWORK
pharmacy: 4 PHARMACY 1 DRUG PRESCRIPTION APOTHECARY RX COMPOUNDING_PHARMACY LONG_TERM_CARE_PHARMACY | 3 "" 1 _STORE _SERVICES _CENTER _MART _SHOPPE _&_GIFTS
supply: MEDICAL_SUPPLY MEDICAL_EQUIPMENT ORTHOTICS_&_PROSTHETICS OXYGEN MOBILITY HEARING | _COMPANY _SERVICES _CENTER _SOLUTIONS _DEPOT
laboratory: CLINICAL DIAGNOSTIC MEDICAL PATHOLOGY GENOMIC TOXICOLOGY | 2 _LABORATORY _LABORATORIES 1 _LABS _DIAGNOSTICS _LAB_SERVICES
residence: NURSING ASSISTED_LIVING REHABILITATION SENIOR_LIVING NURSING_AND_REHABILITATION MEMORY_CARE | 2 _CENTER _HOME 1 _RESIDENCE _MANOR _VILLAGE _COMMUNITY _HOUSE
transport: MEDICAL_TRANSPORT AMBULANCE AMBULETTE FIRE_DEPARTMENT RESCUE TRANSPORTATION | "" _SERVICES _COMPANY _SERVICE _DISTRICT`
    .trim()
    .split("\n")
    .map((line, number) => {
      const [trade = "", fields = "", kinds = ""] = line.split(/: | \| /);
      return [trade, { number, fields: words(fields), kinds: words(kinds) }];
    }),
);
const CHAIN_RANKS = new SkewedChoice(
  Array.from({ length: CHAINS_PER_TRADE }, (_, rank) => 1 / (rank + 6)),
);

/** Draws invented organization names that fit the trade and the place. */
export class OrganizationNames {
  readonly #seed: number;
  readonly #places: PlaceMap;
  readonly #random = new Random();

  constructor(seed: number, places: PlaceMap) {
    this.#seed = seed;
    this.#places = places;
  }

  draw(random: Random, trade: string, place: Place): string {
    return random.chance(CHAIN_SHARE)
      ? this.drawChain(random, trade)
      : drawName(random, trade, place);
  }

  /** The name of a chain in this trade. */
  drawChain(random: Random, trade: string): string {
    const chain = CHAIN_RANKS.draw(random);
    const { number } = TRADES.get(trade)!;
    this.#random.restart(this.#seed, CHAIN_STREAM + number, chain);
    const place = this.#places.draw(this.#random);
    return drawName(this.#random, trade, place);
  }
}

function drawName(random: Random, trade: string, place: Place): string {
  const { fields, kinds } = TRADES.get(trade)!;
  const work = `${fields.draw(random)}${kinds.draw(random)}`;
  return `${drawSubject(random, trade, work, place)}${LEGAL_FORMS.draw(random)}`;
}

/** The name without its legal form. */
function drawSubject(
  random: Random,
  trade: string,
  work: string,
  place: Place,
): string {
  const way = random.fraction();
  if (way < 0.22) return `${cityOf(random, place)} ${work}`;
  if (trade === "hospital")
    return way < 0.3
      ? `${work} OF ${cityOf(random, place)}`
      : `${SAINTS.draw(random)} ${work}`;
  if (way < 0.5) {
    const scene = SCENES.draw(random);
    const second = SCENES.draw(random);
    // Some have a second word: BLUE SKY HARBOR DENTAL GROUP.
    return random.chance(0.3) && second !== scene
      ? `${scene} ${second} ${work}`
      : `${scene} ${work}`;
  }
  if (way < 0.72) return `${drawSurname(random)} ${work}`;
  if (way < 0.86)
    return `${drawGivenName(random, random.chance(0.5))} ${drawSurname(random)} ${TITLES.draw(random)}`;
  if (way < 0.95)
    return `${drawSurname(random)} & ${drawSurname(random)} ${work}`;
  if (way < 0.998) return `${work} OF ${cityOf(random, place)}`;
  return `THE ""${SCENES.draw(random)}"" ${work}`;
}
