/** Ten digits of a U.S. telephone as they are read; all else as the registry has it. */
export function phoneText(phone: string, extension: string | null = null) {
  const read = /^([0-9]{3})([0-9]{3})([0-9]{4})$/.exec(phone);
  const [, area = "", exchange = "", line = ""] = read ?? [];
  const text = read === null ? phone : `(${area}) ${exchange}-${line}`;
  return extension === null ? text : `${text} ext. ${extension}`;
}
