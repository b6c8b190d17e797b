import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { fold } from "../../src/text/fold.ts";
import { naturalCase, type NameKind } from "../../src/text/natural-case.ts";

/** What pages show. The registry's text is the same in upper case, unless it is given. */
const SHOWN: Readonly<Record<NameKind, readonly string[]>> = {
  person: lines(`
    Jane
    J
    J R
    J.R.
    TJ
    Smith-Jones
    Anne-Marie
    McDonald
    McIntyre-Smith
    Mc Donald
    Mc
    MacDonald
    MacArthur
    Mack
    Macias
    Machado
    Mackenzie
    O'Brien
    O’Brien
    O'Neal-Smith
    D'Angelo
    L'Esperance
    La'Tasha
    Ka'Nise
    De'Andre
    Ray'Shawn
    Koali'i
    Renee'
    De La Cruz
    Van Der Berg
    Von Trapp
    Dos Santos
    El-Amin
    Al-Hassan
    St Pierre
    St. John
    Ng
    Wu
    Ly
    Jr
    Jr.
    Sr
    Smith Jr
    Smith, Jr.
    Smith III
    II
    III
    IV
    Dr.
    Mrs.
    Doe DDS
    Núñez
    Łukasz
    Øster
    (Trish)
  `),
  organization: lines(`
    City of Hope
    Hope and Healing LLC
    Hope & Healing, L.L.C.
    The Center for Pain
    Center for the Arts
    Health at Home
    Come on In
    Walk-In Clinic
    In-Home Care
    Care On-the-Go
    Valley Hospital - The Heights
    Roots: A Healing Place
    Jane Doe, M.D., a Professional Corporation
    Jane Doe DMD a Medical Corporation
    John A Smith MD
    Sunrise Dental PC
    Sunrise Dental PLLC
    Sunrise Medical, Inc
    Sunrise Medical, Inc.
    Sunrise Health Corp
    Sunrise Health Co
    Sunrise Imaging Ltd
    Sunrise Partners LP
    Sunrise Partners LLP
    Sunrise Surgery PA
    Jane Doe PHD
    Jane Doe LCSW
    Jane Doe PMHNP-BC
    Jane Doe, OD
    John Smith DO PC
    Doe Dental DBA Bright Smiles
    Doe Dental D/B/A Bright Smiles
    St Mary's Hospital
    St. Luke's
    Mt Hope Clinic
    Ft Valley Clinic
    Dr Doe and Associates
    Children's Hospital
    Women's Health
    Patients' Choice
    Don't Worry Homes
    We're Here
    You'll Smile
    Kids' Place
    J's Pharmacy
    O'Neill Pharmacy
    McAllen Heart Clinic
    MacGregor Eye Care
    Valley MRI
    Valley OB/GYN
    Valley OBGYN
    Valley ENT
    Valley ER
    Valley EMS
    Valley PT
    USA Dialysis
    US Renal
    UCLA Health
    YMCA of the Valley
    VA Clinic
    NJ Spine
    NY Eye
    CVS Pharmacy
    DVA Renal
    XKZ Transport
    AAA Transport
    A1 Medical
    A4L
    24HR Care
    4Kids Therapy
    360Care
    1st Choice
    22nd Street Clinic
    Rx Plus
    D&S Dental
    J & J Care
    Pharmacy #049
    Wellness Ctr
    Home Hlth Svcs
    Sheriffs Dept
    Valley Health II
    Legion Post XII
    Ward Xiong
    Khan Clinic
    Tsai Dental
    Clinica De La Familia
    Los Angeles Clinic
    La Clinica
    Family Medicine/Genesis
    Tri-Cities Clinic
    CEO
    Owner/CEO
    Vice President of Finance
    Chief Financial Officer
    VP, Managed Care
  `),
  address: lines(`
    12 Main St
    12 Main St.
    12 N Main St
    12 NE 3rd Ave
    12 NW 101st St SW
    PO Box 12
    P.O. Box 12
    P O Box 12
    100 Oak Ave Ste 200
    100 Oak Ave Ste 200B
    100 Oak Ave Ste. A
    100 Oak Ave Ste200
    100 Oak Ave Suite109
    100 Oak Blvd Apt 3
    100 Oak Blvd Apt3
    100 Oak Pkwy Fl 2
    100 Oak Hwy Bldg C
    100 Oak Rd # 12
    100 Oak Ln Rm 4
    100 Oak Ct
    100 Oak Dr
    100 Oak Pl
    100 Oak Sq
    100 Oak Trl
    100 Oak Cir
    100 Oak Plz
    100 Oak Xing
    100 Avenue of the Americas
    100 Avenue A
    1 The Plaza
    100 The Alameda
    100 McKinley Ave
    100 MacArthur Blvd
    100 O'Connor St
    100 Martin Luther King Jr Blvd
    100 MLK Jr Dr
    100 St Marys St
    100 Mt Hope Rd
    100 Ft Worth Hwy
    100 FM 1960
    100 SR 20
    100 US Highway 1
    100 US-98
    100 I-10
    100 Pt Lobos
    Dept 12, MC845
    N230
    PSC 12 Box 34
    PMB 12
    HC 1 Box 2
    RR 1 Box 2
    VA Medical Center
    Attn: Billing
    KM 4.2
    Calle 5 Urb. Flores
    Carr. PR-2
    1/2 Oak St
  `),
  city: lines(`
    Chicago
    New York
    McAllen
    Mc Lean
    St Louis
    St. Louis
    Ft Worth
    Mt Pleasant
    O Fallon
    O'Fallon
    Coeur d'Alene
    Coeur d Alene
    D'Iberville
    Fond du Lac
    Prairie du Chien
    Havre de Grace
    De Pere
    Marina del Rey
    Del Rio
    Des Moines
    West Des Moines
    La Jolla
    Las Vegas
    N Las Vegas
    Los Angeles
    Land O Lakes
    King of Prussia
    City of Industry
    Truth or Consequences
    Lake in the Hills
    Manchester by the Sea
    Hastings on Hudson
    Hastings-on-Hudson
    Winston-Salem
    The Dalles
    Robins AFB
    APO
    FPO
    Clinton Twp
    Shaker Hts
    Deerfield Bch
    Lee's Summit
    Mayagüez
  `),
};

describe("natural capitals", () => {
  for (const kind of ["person", "organization", "address", "city"] as const)
    it(`are as listed for the kind "${kind}"`, () => {
      for (const shown of SHOWN[kind])
        assert.equal(naturalCase(shown.toUpperCase(), kind), shown);
    });

  it("leave a text with small letters as it is", () => {
    for (const text of ["Ann deVRIES", "eClinic LLC", "john smith", "McAfee"])
      for (const kind of ["person", "organization"] as const)
        assert.equal(naturalCase(text, kind), text);
  });

  it("change nothing but the case, so that the same search finds the name", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[A-Z0-9 '.&/-]*$/),
    );
    const kinds = fc.constantFrom<NameKind[]>(
      "person",
      "organization",
      "address",
      "city",
    );
    fc.assert(
      fc.property(texts, kinds, (text, kind) => {
        const shown = naturalCase(text, kind);
        assert.equal(shown.length, text.length);
        assert.equal(shown.toUpperCase(), text.toUpperCase());
        assert.equal(fold(shown), fold(text));
        assert.equal(naturalCase(shown, kind), shown);
      }),
    );
  });
});

function lines(text: string): string[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim());
}
