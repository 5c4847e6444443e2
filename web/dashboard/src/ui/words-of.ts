/** Names as people type lists of them: one for each comma or line, each once. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[,\n]/).map((word) => word.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}
