import assert from "node:assert/strict";
import { test } from "node:test";
import { typedCase } from "../../src/text/natural-case.ts";

test("names and cities that are typed get natural capitals", () => {
  assert.equal(typedCase("st paul", "city"), "Saint Paul");
  assert.equal(typedCase("PORT ST. LUCIE", "city"), "Port Saint Lucie");
  assert.equal(typedCase("ft worth", "city"), "Fort Worth");
  assert.equal(typedCase("st", "city"), "St");
  assert.equal(typedCase("o'brien", "person"), "O'Brien");
  assert.equal(typedCase("jane SMITH", "person"), "Jane Smith");
  assert.equal(typedCase("Jan van der Berg", "person"), "Jan van der Berg");
  assert.equal(typedCase("AJ Smith", "person"), "AJ Smith");
  assert.equal(typedCase("HCA Houston", "organization"), "HCA Houston");
  assert.equal(typedCase("smi*", "person"), "Smi*");
  assert.equal(typedCase("cvs pharmacy", "organization"), "CVS Pharmacy");
});
