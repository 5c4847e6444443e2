/** Which commands fit what was typed, the best first. */
import { type Command, headingOf } from './commands.ts'

/** Without words: all, in their order. */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const shown = commands.filter(({ isKeysOnly, isOff }) => !isKeysOnly && !isOff)
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return shown.toSorted((a, b) => rankOf(a) - rankOf(b))
  return shown
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

/** What the page offers comes first, what is there everywhere last. */
const LAST_GROUPS = ['go', 'projects', 'general', 'developers']

function rankOf({ group }: Command): number {
  return group === undefined ? -1 : LAST_GROUPS.indexOf(group)
}

/** 0 when a word is not in it; each word counts most at the beginning of the label, then of one of its words. */
function scoreOf(command: Command, words: readonly string[]): number {
  const { label, words: more = '' } = command
  const name = label.toLowerCase()
  const rest = `${headingOf(command)} ${more}`.toLowerCase()
  let score = 0
  for (const word of words) {
    const found = name.startsWith(word)
      ? 8
      : name.includes(` ${word}`)
        ? 6
        : name.includes(word)
          ? 4
          : rest.includes(word)
            ? 2
            : initialsOf(name).includes(word)
              ? 1
              : 0
    if (found === 0) return 0
    score += found
  }
  return score
}

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .join('')
}
