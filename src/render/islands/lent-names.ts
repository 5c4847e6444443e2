/** Imports that a component's file leaves to the page that shows it. */
import type { LentName } from '../page/body.ts'

/** Lines keep their numbers. */
export function withLent(path: string, text: string, lent: readonly LentName[]): string {
  if (lent.length === 0) return text
  const { used, bound } = namesOf(text)
  const imports = lent
    .filter(({ local, from }) => from !== path && used.has(local) && !bound.has(local))
    .map(({ local, imported, from }) => {
      // Such files export names alone: a default import takes the export of its own name.
      const name = imported === 'default' ? local : imported
      const clause = imported === '*' ? `* as ${local}` : `{ ${name} as ${local} }`
      return `import ${clause} from ${JSON.stringify(`/${from}`)};`
    })
  return imports.join('') + text
}

const TOKENS = /[\p{ID_Start}$_][\p{ID_Continue}$]*|[{[=;'"`]/gu
const DECLARING = ['const', 'let', 'var', 'function', 'class']

/** Names that a file uses, and those that are its own: a second one of these would be a mistake. */
function namesOf(text: string): { used: Set<string>; bound: Set<string> } {
  const used = new Set<string>()
  const bound = new Set<string>()
  let declares: 'imports' | 'name' | 'pattern' | null = null
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (declares === 'name') declares = 'pattern'
    } else if (/^[=;'"`]/.test(token)) {
      if (declares !== 'imports' || token !== '=') declares = null
    } else if (token === 'import') declares = 'imports'
    else if (DECLARING.includes(token)) declares = 'name'
    else if (text[index - 1] !== '.') {
      used.add(token)
      if (declares !== null) bound.add(token)
      if (declares === 'name') declares = null
    }
  }
  return { used, bound }
}
