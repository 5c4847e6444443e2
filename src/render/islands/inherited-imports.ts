/** Adds imports that a component file omits because the page that renders it has them. */
import type { InheritedImport } from '../page/body.ts'

/** Adds imports for the inherited names without changing line numbers. */
export function withInheritedImports(
  path: string,
  text: string,
  inherited: readonly InheritedImport[],
): string {
  if (inherited.length === 0) return text
  const { used, bound } = listNames(text)
  const imports = inherited
    .filter(({ local, from }) => from !== path && used.has(local) && !bound.has(local))
    .map(({ local, imported, from }) => {
      // These files have only named exports, so a default import refers to the export with its local name.
      const name = imported === 'default' ? local : imported
      const clause = imported === '*' ? `* as ${local}` : `{ ${name} as ${local} }`
      return `import ${clause} from ${JSON.stringify(`/${from}`)};`
    })
  return imports.join('') + text
}

const TOKEN_PATTERN = /[\p{ID_Start}$_][\p{ID_Continue}$]*|[{[=;'"`]/gu
const DECLARATION_KEYWORDS = ['const', 'let', 'var', 'function', 'class']

/** Returns the names that a file uses, and the names that it declares. No import may be added for a declared name. */
function listNames(text: string): { used: Set<string>; bound: Set<string> } {
  const used = new Set<string>()
  const bound = new Set<string>()
  let declares: 'imports' | 'name' | 'pattern' | null = null
  for (const { 0: token, index } of text.matchAll(TOKEN_PATTERN)) {
    if (token === '{' || token === '[') {
      if (declares === 'name') declares = 'pattern'
    } else if (/^[=;'"`]/.test(token)) {
      if (declares !== 'imports' || token !== '=') declares = null
    } else if (token === 'import') declares = 'imports'
    else if (DECLARATION_KEYWORDS.includes(token)) declares = 'name'
    else if (text[index - 1] !== '.') {
      used.add(token)
      if (declares !== null) bound.add(token)
      if (declares === 'name') declares = null
    }
  }
  return { used, bound }
}
