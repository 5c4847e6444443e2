/** Splits text at commas and line breaks into unique names. */
export function parseNameList(text: string): string[] {
  const words = text.split(/[,\n]/).map((word) => word.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}
