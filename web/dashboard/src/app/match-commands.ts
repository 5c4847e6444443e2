/** Finds the commands that match a query, best match first. */
import { type Command, resolveHeading } from './commands.ts'

/** Returns all commands in their original order when there is no query. */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const shown = commands.filter(({ isKeysOnly, isOff }) => !isKeysOnly && !isOff)
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return shown.toSorted((a, b) => groupRank(a) - groupRank(b))
  return shown
    .map((command) => ({ command, score: scoreCommand(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

/** Groups of commands that are available everywhere, listed after the groups of the page. */
const LAST_GROUPS = ['create', 'go', 'projects', 'settings', 'general', 'developers']

function groupRank({ group }: Command): number {
  return group === undefined ? -1 : LAST_GROUPS.indexOf(group)
}

/**
 * Returns 0 when a word is missing. A match scores highest at the start of the label, then at the start of a word.
 */
function scoreCommand(command: Command, words: readonly string[]): number {
  const { label, words: more = '' } = command
  const name = label.toLowerCase()
  const rest = `${resolveHeading(command)} ${more}`.toLowerCase()
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
            : extractInitials(name).includes(word)
              ? 1
              : 0
    if (found === 0) return 0
    score += found
  }
  return score
}

function extractInitials(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .join('')
}
