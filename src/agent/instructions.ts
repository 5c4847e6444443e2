/** The site's own instructions for agents, from files that only the owners of the repository's branch can change. */
import { posix } from 'node:path'

const NAMES = ['AGENTS.md', '.octavo/agent.md']
/** Characters of one file; what is beyond is left out. */
const MAX_CHARACTERS = 32 << 10

/**
 * `readFile` answers a file of the repository by its path at the commit that the change begins from, null when it is
 * not there. The repository's files come before those of the docs folder, which say more exactly what holds there.
 * Empty when there are none.
 */
export async function readInstructions(
  readFile: (path: string) => Promise<string | null>,
  docsFolder: string,
): Promise<string> {
  const folder = posix.normalize(docsFolder || '.')
  const places = [...new Set(['', folder === '.' ? '' : folder])]
  const parts: string[] = []
  for (const path of places.flatMap((place) => NAMES.map((name) => posix.join(place, name)))) {
    const text = (await readFile(path))?.trim()
    if (!text) continue
    const rest = text.length > MAX_CHARACTERS ? '\n(The rest of this file is left out: it is too long.)' : ''
    parts.push(`From ${path}:\n${text.slice(0, MAX_CHARACTERS)}${rest}`)
  }
  return parts.join('\n\n')
}
