import { numbersBy, lists, words, type Words } from "./choice.ts";
import { man, surname, woman } from "./names.ts";
import { type Place, cityOf, placeMap } from "./places.ts";
import type { Provider } from "./history.ts";
import { Random } from "./random.ts";

/** Chains: organizations that the registry lists many times under one name, once per location. */
const CHAINS_PER_TRADE = 9000;
const CHAIN_SHARE = 0.5;
const CHAIN_STREAM = 0x0c4a0000;
const CHAINS = numbersBy(
  Array.from({ length: CHAINS_PER_TRADE }, (_, rank) => 1 / (rank + 6)),
);

const { company, hospital, practice } = lists(
  "company hospital practice",
  `
practice: 22 {city}_{work}{form} 20 {scene}_{work}{form} 8 {scene}_{scene}_{work}{form} 22 {surname}_{work}{form}
7 {woman}_{surname}_{title}{form} {man}_{surname}_{title}{form} 9 {surname}_&_{surname}_{work}{form} 4.8 {work}_OF_{city}{form}
0.2 THE_""{scene}""_{work}{form}
company: 22 {city}_{work}{form} 20 {scene}_{work}{form} 15 {scene}_{scene}_{work}{form} 22 {surname}_{work}{form}
9 {surname}_&_{surname}_{work}{form} 4.8 {work}_OF_{city}{form} 0.2 THE_""{scene}""_{work}{form}
hospital: 22 {city}_{work}{form} 8 {work}_OF_{city}{form} 70 {saint}_{work}{form}
scene: 4 LAKESIDE RIVERSIDE VALLEY SUMMIT PREMIER HORIZON EVERGREEN CORNERSTONE COMMUNITY ADVANCED COMPREHENSIVE INTEGRATED
2 SUNRISE HARMONY BLUE_SKY NEW_HOPE HEARTLAND COMPASS LIGHTHOUSE CEDAR_GROVE MAPLE_LEAF SILVER_BIRCH STONEBRIDGE CLEARWATER
NORTH_STAR CARING_HANDS TRUE_NORTH SERENITY COMPLETE TOTAL MODERN UNITED FIRST_CHOICE BETTER_DAYS OPEN_ARMS HEALING_TREE
PEACEFUL_PATH MINDFUL WHOLE_LIFE VITAL RADIANT THRIVING BLOOM LOTUS PHOENIX EAGLE_RIDGE FALCON_CREEK BEACON ANCHOR HARBOR
1 COASTAL MOUNTAIN_VIEW LAKESHORE PRAIRIE MEADOWBROOK WILLOW_CREEK OAK_HILL PINE_RIDGE SAGEBRUSH CANYON DESERT_ROSE MAGNOLIA
DOGWOOD HERON CARDINAL BLUEBIRD SPARROW GRACE FAITHFUL COVENANT PATHWAY STEPPING_STONES BUILDING_BLOCKS RAINBOW LITTLE_STEPS
STARLIGHT AMBER SAPPHIRE EMERALD KEYSTONE LIBERTY PIONEER FRONTIER HERITAGE LEGACY COLONIAL METRO TRI-COUNTY MIDTOWN UPTOWN
NORTHSIDE SOUTHSIDE EASTGATE WESTBROOK CROSSROADS GATEWAY LANDMARK PINNACLE APEX ZENITH ALPINE ELITE PRIME OPTIMAL DYNAMIC
ACTIVE KINETIC RENEW RESTORE REVIVE INSPIRE FLOURISH ALLIANCE UNITY COMMON_GROUND CHILDREN'S WOMEN'S
saint: 4 ST_MARYS ST_JOSEPHS ST_LUKES MERCY GOOD_SAMARITAN 2 ST._JOHN'S ST_VINCENT ST_ANNE'S HOLY_CROSS TRINITY PROVIDENCE
SACRED_HEART OUR_LADY_OF_GRACE BETHANY CALVARY GOOD_SHEPHERD LAKE_COUNTY TRI-COUNTY MEMORIAL UNIVERSITY
form: 26 "" 27 _LLC 10 _INC 7 ,_INC. _PLLC 6 ,_LLC 4 _PC 2 ,_P.C. _PA _CORP 1.5 _LTD 1 ,_P.A. _CORPORATION ,_INC 0.7 _LLP _CO
_L.L.C. 0.5 _INCORPORATED`,
  { man, surname, woman },
);

/** The titles in the names of practices; other trades have no persons in their names. */
const TITLES: ReadonlyMap<string, Words> = new Map(
  `
medical: 5 MD 2 DO 1 M.D.
specialist: 5 MD 2 DO 1 M.D.
pediatric: 5 MD 2 DO
eye: 2 OD MD
dental: 2 DDS DMD
foot: DPM
chiropractic: DC
counseling: LCSW PHD LPC
therapy: DPT PT`
    .trim()
    .split("\n")
    .map((line) => {
      const [trade = "", titles = ""] = line.split(": ");
      return [trade, words(titles)];
    }),
);

interface Trade {
  readonly number: number;
  readonly fields: Words;
  readonly kinds: Words;
}

/** Trades: what their organizations do, and what sort of organization they are. */
const TRADES: ReadonlyMap<string, Trade> = new Map(
  `
medical: 3 FAMILY_MEDICINE PRIMARY_CARE MEDICAL 2 INTERNAL_MEDICINE HEALTH FAMILY_HEALTH 1 WELLNESS FAMILY_PHYSICIANS | 4 "" 2 _CLINIC _ASSOCIATES _GROUP 1 _CENTER _PARTNERS _SERVICES
specialist: CARDIOLOGY SURGICAL ORTHOPEDIC WOMEN'S_HEALTH ANESTHESIA RADIOLOGY DERMATOLOGY UROLOGY ONCOLOGY NEUROLOGY | 1 "" 2 _ASSOCIATES _SPECIALISTS 1 _GROUP _PHYSICIANS _CENTER _INSTITUTE
pediatric: 3 PEDIATRICS 1 CHILDREN'S_CLINIC PEDIATRIC KIDS_HEALTH CHILDREN'S_MEDICAL | 3 "" 1 _ASSOCIATES _GROUP _CENTER _&_ADOLESCENT_CARE _PARTNERS
counseling: 3 COUNSELING 2 BEHAVIORAL_HEALTH PSYCHOTHERAPY MENTAL_HEALTH 1 FAMILY_THERAPY RECOVERY | 1 "" 2 _SERVICES _CENTER 1 _ASSOCIATES _GROUP _&_WELLNESS _COLLECTIVE
therapy: 3 PHYSICAL_THERAPY SPEECH_THERAPY 1 OCCUPATIONAL_THERAPY REHABILITATION SPORTS_MEDICINE AUTISM | 3 "" 1 _CENTER _SERVICES _ASSOCIATES _&_WELLNESS _SPECIALISTS
dental: 3 DENTAL FAMILY_DENTISTRY 1 DENTISTRY ORTHODONTICS PEDIATRIC_DENTISTRY ORAL_SURGERY SMILES | 2 "" _GROUP _CARE 1 _ASSOCIATES _CENTER _STUDIO _ARTS
eye: EYE VISION EYECARE OPTICAL OPHTHALMOLOGY | 2 _CENTER _ASSOCIATES 1 _PROFESSIONALS _CLINIC _GROUP _INSTITUTE
chiropractic: 4 CHIROPRACTIC 1 SPINE FAMILY_CHIROPRACTIC SPINE_&_WELLNESS ACUPUNCTURE | 2 "" _CENTER _CLINIC 1 _&_WELLNESS _GROUP _OFFICE
foot: FOOT_AND_ANKLE PODIATRY FOOT_&_ANKLE | "" _CENTER _ASSOCIATES _SPECIALISTS _CLINIC _GROUP
homeCare: 4 HOME_HEALTH HOME_CARE 1 IN-HOME_CARE SENIOR_CARE HOSPICE PERSONAL_CARE PRIVATE_NURSING | 2 "" _AGENCY _SERVICES 1 _GROUP _PROVIDERS _SOLUTIONS
hospital: 4 REGIONAL MEMORIAL COMMUNITY 2 COUNTY GENERAL CHILDREN'S UNIVERSITY | 4 _HOSPITAL _MEDICAL_CENTER 1 _HEALTH_SYSTEM _HOSPITAL_DISTRICT _HOSPITAL_&_CLINICS
clinic: COMMUNITY_HEALTH URGENT_CARE FAMILY_HEALTH SURGERY RURAL_HEALTH WALK-IN | 3 _CENTER _CLINIC 1 _CENTERS _SERVICES _NETWORK
pharmacy: 4 PHARMACY 1 DRUG PRESCRIPTION APOTHECARY RX COMPOUNDING_PHARMACY LONG_TERM_CARE_PHARMACY | 3 "" 1 _STORE _SERVICES _CENTER _MART _SHOPPE
supply: MEDICAL_SUPPLY MEDICAL_EQUIPMENT ORTHOTICS_&_PROSTHETICS OXYGEN MOBILITY HEARING | _COMPANY _SERVICES _CENTER _SOLUTIONS _DEPOT
laboratory: CLINICAL DIAGNOSTIC MEDICAL PATHOLOGY GENOMIC TOXICOLOGY | 2 _LABORATORY _LABORATORIES 1 _LABS _DIAGNOSTICS _LAB_SERVICES
residence: NURSING ASSISTED_LIVING REHABILITATION SENIOR_LIVING MEMORY_CARE | 2 _CENTER _HOME 1 _RESIDENCE _MANOR _VILLAGE _COMMUNITY _HOUSE
transport: MEDICAL_TRANSPORT AMBULANCE AMBULETTE FIRE_DEPARTMENT RESCUE TRANSPORTATION | "" _SERVICES _COMPANY _SERVICE _DISTRICT`
    .trim()
    .split("\n")
    .map((line, number) => {
      const [trade = "", fields = "", kinds = ""] = line.split(/: | \| /);
      return [trade, { number, fields: words(fields), kinds: words(kinds) }];
    }),
);

const ofChain = new Random();

/** Invents an organization name that fits the trade and the place. */
export function drawOrganization(
  random: Random,
  trade: string,
  place: Place,
): string {
  return random.chance(CHAIN_SHARE)
    ? drawChain(random, trade)
    : drawName(random, trade, place);
}

/** Draws the name of a chain in this trade. */
export function drawChain(random: Random, trade: string): string {
  const { number } = TRADES.get(trade)!;
  ofChain.restart(0, CHAIN_STREAM + number, CHAINS.draw(random));
  return drawName(ofChain, trade, placeMap().draw(ofChain));
}

/** Draws another name of an organization, with its type: doing business as, a former legal name, or other. */
export function drawOtherName(
  random: Random,
  { place, specialty }: Provider,
): [name: string, type: string] {
  const name = drawOrganization(random, specialty.trade, place);
  return [name, random.chance(0.85) ? "3" : random.chance(0.67) ? "4" : "5"];
}

function drawName(random: Random, trade: string, place: Place): string {
  const { fields, kinds } = TRADES.get(trade)!;
  const work = fields.draw(random) + kinds.draw(random);
  const city = cityOf(random, place);
  const title = TITLES.get(trade)?.draw(random);
  if (title !== undefined) return practice.draw(random, { city, title, work });
  return (trade === "hospital" ? hospital : company).draw(random, {
    city,
    work,
  });
}
