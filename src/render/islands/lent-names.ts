/** Imports that a component's file leaves to the page that shows it. */
import type { LentName } from '../page/body.ts'

/** Lines keep their numbers. */
export function withLent(path: string, text: string, lent: readonly LentName[]): string {
  const used = lent.filter(
    ({ local, from }) => from !== path && wordOf(local).test(text) && !binds(text, local),
  )
  const imports = used.map(({ local, imported, from }) => {
    // Such files export names alone: a default import takes the export of its own name.
    const clause =
      imported === '*' ? `* as ${local}` : `{ ${imported === 'default' ? local : imported} as ${local} }`
    return `import ${clause} from ${JSON.stringify(`/${from}`)};`
  })
  return imports.join('') + text
}

/** Whether the name may be one of the file's own: then a second one would be a mistake. */
function binds(text: string, name: string): boolean {
  const word = wordOf(name).source
  return [
    `\\bimport\\b[^;'"]*${word}`,
    `\\b(?:const|let|var|function\\*?|class)\\s+${word}`,
    `^(?:export\\s+)?(?:const|let|var)\\s*[[{][^=]*${word}`,
  ].some((pattern) => new RegExp(pattern, 'mu').test(text))
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\p{ID_Continue}$.])${name.replaceAll('$', '\\$')}(?![\\p{ID_Continue}$])`, 'u')
}
