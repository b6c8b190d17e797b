/** Separators of plain cells: texts as they are, without control characters other than white space. */
export const CELL_SEPARATOR = "\u001F";
export const ROW_SEPARATOR = "\u001E";
