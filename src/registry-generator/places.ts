import { Choice, rowsOf, words, type Words } from "./choice.ts";
import { mix, type Random } from "./random.ts";
import { readZipcodes } from "../reference/zip-packages.ts";

/** A ZIP with its city and state. */
export interface ZipPlace {
  /** Five digits. */
  zip: string;
  /** In upper case, as the registry writes cities: `SAINT LOUIS`. */
  city: string;
  /** Two letters; AA, AE and AP for the armed forces. */
  state: string;
}

/** Some entries are a company or a box that once had its own ZIP: `AT&T`, `SHELL OIL BOX 150`, `BENDIX CORP`. */
const CITY_NAME = /^[A-Z][A-Z .'-]*$/;
const COMPANY_WORD =
  /\b(ASSOC|ASSC|BKCARD|BRM|CARD|CO|COMP|CORP|CTR|DEPT|EXPRESS|FINANCE|INC|INS|INSURANCE|LIFE|LOTTERY|MAIL|MUTUAL|RETURN|ROEBUCK|SVC|TEL|TELEPHONE)\b/;
const COMPANY =
  /\b(NATIONAL|NATL|US|FARGO|ONE|UNION|AMSOUTH) BANK\b|\bBANK OF\b|^(GEN ELECTRIC|US WEST|CENSUS BUREAU)$/;

/** Loads the places of five-digit ZIPs (GeoNames, CC BY 4.0), in order of ZIP. Skips entries that are not a city. */
export function loadZipPlaces(): ZipPlace[] {
  return readZipcodes()
    .map(({ zip, city, state }) => ({
      zip,
      city: city.trim().toUpperCase(),
      state,
    }))
    .filter(({ city }) => CITY_NAME.test(city) && !isCompany(city))
    .sort((a, b) => Number(a.zip) - Number(b.zip));
}

/** True for names of companies. One-word names are always towns: Telephone, Texas, and Mutual, Oklahoma. */
function isCompany(name: string): boolean {
  return name.includes(" ") && (COMPANY_WORD.test(name) || COMPANY.test(name));
}

/**
 * Each state with its population in thousands (Census 2020; the shares of the armed forces and the freely associated
 * states are guesses) and its area codes (North American Numbering Plan; 800 if it has none).
 */
const STATES = rowsOf(`
AL 5024 205 251 256 334 659 938; AK 733 907; AZ 7152 480 520 602 623 928; AR 3012 327 479 501 870;
CA 39538 209 213 310 323 408 415 424 442 510 530 559 562 619 626 650 661 707 714 747 760 805 818 831 858 909 916 925 949 951;
CO 5774 303 719 720 970 983; CT 3606 203 475 860 959; DE 990 302; DC 690 202 771;
FL 21538 239 305 321 352 386 407 448 561 656 689 727 754 772 786 813 850 863 904 941 954;
GA 10712 229 404 470 478 678 706 762 770 912 943; HI 1455 808; ID 1839 208 986;
IL 12813 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872; IN 6786 219 260 317 463 574 765 812 930;
IA 3190 319 515 563 641 712; KS 2938 316 620 785 913; KY 4506 270 364 502 606 859; LA 4658 225 318 337 504 985;
ME 1362 207; MD 6177 227 240 301 410 443 667; MA 7030 339 351 413 508 617 774 781 857 978;
MI 10077 231 248 269 313 517 586 616 734 810 906 947 989; MN 5706 218 320 507 612 651 763 924 952; MS 2961 228 601 662 769;
MO 6155 235 314 417 557 573 636 660 816 975; MT 1084 406; NE 1962 308 402 531; NV 3105 702 725 775; NH 1378 603;
NJ 9289 201 551 609 640 732 848 856 862 908 973; NM 2118 505 575;
NY 20201 212 315 332 347 516 518 585 607 631 646 680 716 718 838 845 914 917 929 934;
NC 10439 252 336 472 704 743 828 910 919 980 984; ND 779 701; OH 11799 216 220 234 326 330 380 419 440 513 567 614 740 937;
OK 3959 405 539 572 580 918; OR 4237 458 503 541 971; PA 13003 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878;
PR 3286 787 939; RI 1097 401; SC 5118 803 821 839 843 854 864; SD 887 605; TN 6911 423 615 629 731 865 901 931;
TX 29146 210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972 979;
UT 3272 385 435 801; VT 643 802; VA 8631 276 434 540 571 686 703 757 804 826 948; WA 7705 206 253 360 425 509 564;
WV 1794 304 681; WI 5894 262 274 353 414 534 608 715 920; WY 577 307; GU 154 671; VI 87 340; AS 50 684; MP 47 670;
AE 110 800; AP 90 800; AA 15 800; PW 2 800; FM 3 800; MH 2 800`);

/** Large cities and their own area codes. A demo has more providers in them than nature; a repeated one counts more. */
const LARGE_CITIES = rowsOf(`
NEW_YORK NY 212 646 917; NEW_YORK NY 212 646 917; CHICAGO IL 312 773 872; CHICAGO IL 312 773 872; BROOKLYN NY 347 718 929;
LOS_ANGELES CA 213 323; HOUSTON TX 281 713 832; PHOENIX AZ 480 602 623; PHILADELPHIA PA 215 267 445;
SAN_ANTONIO TX 210 726; SAN_DIEGO CA 619 858; DALLAS TX 214 469 972; JACKSONVILLE FL 904; AUSTIN TX 512 737;
FORT_WORTH TX 682 817; SAN_JOSE CA 408; COLUMBUS OH 380 614; CHARLOTTE NC 704 980; SAN_FRANCISCO CA 415; SEATTLE WA 206;
DENVER CO 303 720; WASHINGTON DC 202; BOSTON MA 617 857; NASHVILLE TN 615 629; LAS_VEGAS NV 702 725;
ATLANTA GA 404 470 678; MIAMI FL 305 786; SAINT_LOUIS MO 314`);

/** Spellings of a city's first word; all others have one. */
const FIRST_WORDS: Readonly<Record<string, Words>> = {
  SAINT: words("55 SAINT_ 27 ST_ 18 ST._"),
  FORT: words("74 FORT_ 22 FT_ 4 FT._"),
  MOUNT: words("73 MOUNT_ 22 MT_ 5 MT._"),
  NORTH: words("94 NORTH_ 6 N_"),
  O: words("O_ O'"),
};
/** Has so many more providers than others of its size that a demo has both spellings. */
const WITH_APOSTROPHE = "O FALLON";
const APOSTROPHE_FACTOR = 30;

/** Places abroad as CITY STATE COUNTRY POSTAL_CODE: 9 is replaced by any digit, A by any letter. */
const ABROAD = rowsOf(`
TORONTO ONTARIO CA A9A_9A9; VANCOUVER BC CA A9A9A9; MONTRÉAL QUEBEC CA A9A_9A9; TIJUANA BAJA_CALIFORNIA MX 99999;
LONDON "" GB AA9_9AA; KAISERSLAUTERN RHEINLAND-PFALZ DE 99999; OKINAWA JAPAN JP 9999999; SEOUL -- KR 99999;
TEL_AVIV ISRAEL IL 9999999; MUMBAI MAHARASHTRA IN 999999`).map(
  ([city = "", state = "", country = "", postalCode = ""]): Place => ({
    city,
    state,
    country,
    postalCode,
    areaCode: "800",
  }),
);
const ABROAD_SHARE = 0.0004;

/** A ZIP with its city, or a place abroad. */
export interface Place {
  readonly city: string;
  /** Spellings of the city's first word, if there are several. */
  readonly firstWords?: Words | undefined;
  readonly state: string;
  readonly country: string;
  /** Five digits; abroad, a pattern. */
  readonly postalCode: string;
  readonly areaCode: string;
}

/**
 * The places of providers: states by population, cities by their number of ZIPs, and some ZIPs of a city more than
 * others. ZIP, city and state always match.
 */
export class PlaceMap {
  readonly #all: Choice<Choice<Place>>;
  readonly #inState = new Map<string, Choice<Place>>();
  readonly #large: readonly Choice<Place>[];

  constructor(zips: readonly ZipPlace[]) {
    const ofState = Map.groupBy(zips.filter(isServed), ({ state }) => state);
    const large = new Map<string, Choice<Place>>();
    const populations: number[] = [];
    for (const [state = "", population, ...areaCodes] of STATES) {
      const ofCity = Map.groupBy(ofState.get(state) ?? [], ({ city }) => city);
      const weighted = [...ofCity].flatMap(([city, inCity]) => {
        const [, , ...own] =
          LARGE_CITIES.find((row) => row[0] === city && row[1] === state) ?? [];
        if (own.length === 0) return weightedPlaces(inCity, areaCodes);
        const places = weightedPlaces(inCity, own);
        large.set(city, choiceOf(places));
        return places;
      });
      if (weighted.length === 0) continue;
      this.#inState.set(state, choiceOf(weighted));
      populations.push(Number(population));
    }
    this.#all = new Choice([...this.#inState.values()], populations);
    this.#large = LARGE_CITIES.flatMap(([city = ""]) => large.get(city) ?? []);
  }

  draw(random: Random): Place {
    return random.chance(ABROAD_SHARE)
      ? ABROAD[random.below(ABROAD.length)]!
      : this.#all.draw(random).draw(random);
  }

  /** The number of large cities. */
  get large(): number {
    return this.#large.length;
  }

  drawInLargeCity(random: Random, city: number): Place {
    return this.#large[city]!.draw(random);
  }

  /** Draws another place in the same state, or the same one abroad. */
  drawNear(random: Random, place: Place): Place {
    return place.country === "US"
      ? this.#inState.get(place.state)!.draw(random)
      : place;
  }
}

/** Spells the city's name as a provider might. */
export function cityOf(random: Random, { city, firstWords }: Place): string {
  return firstWords === undefined
    ? city
    : firstWords.draw(random) + city.slice(city.indexOf(" ") + 1);
}

let made: PlaceMap | null = null;

/** Returns the map of all places. The first call makes it; it is kept, as it never changes. */
export function placeMap(): PlaceMap {
  return (made ??= new PlaceMap(loadZipPlaces()));
}

type Weighted = readonly [place: Place, weight: number];

function choiceOf(weighted: readonly Weighted[]): Choice<Place> {
  return new Choice(
    weighted.map(([place]) => place),
    weighted.map(([, weight]) => weight),
  );
}

/** True for 29 of 30 ZIPs; one has no provider, like many that have only post office boxes. */
function isServed({ zip }: ZipPlace): boolean {
  return (mix(Number(zip)) >>> 0) % 30 !== 0;
}

/** Weights a city's ZIPs. Neighboring ZIPs share an area code. A city of n ZIPs weighs about n to the 1¼. */
function weightedPlaces(
  zips: readonly ZipPlace[],
  areaCodes: readonly string[],
): Weighted[] {
  const count = zips.length;
  const { city, state } = zips[0]!;
  let bits = 0;
  for (const letter of city) bits = mix(bits + letter.charCodeAt(0));
  bits >>>= 0;
  // Cities with one or two ZIPs vary most: half of the providers in them are in a tenth of them.
  let size = count > 2 ? 1 + (bits % 2) : 50 / (1 + (bits % 400));
  if (city === WITH_APOSTROPHE) size *= APOSTROPHE_FACTOR;
  size *= count * Math.sqrt(Math.sqrt(count));
  let shares = 0;
  for (let rank = 0; rank < count; rank++) shares += 1 / (rank + 3);
  const firstWords = FIRST_WORDS[city.split(" ")[0]!];
  return zips.map(({ zip }) => {
    // Spreads the ranks over the city's ZIPs; some share a rank, and some ranks are unused.
    const rank = (mix(Number(zip) + 7) >>> 0) % count;
    const area = (mix(Number(zip.slice(0, 3))) >>> 0) % areaCodes.length;
    const areaCode = areaCodes[area]!;
    const shared = { city, firstWords, state, areaCode };
    const place = { ...shared, country: "US", postalCode: zip };
    return [place, size / (rank + 3) / shares];
  });
}
