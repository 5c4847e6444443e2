/**
 * Replaces `{{name}}` in pages and snippets. To prevent values from becoming markup, variables are replaced
 * with markers before parsing, and markers with values afterwards.
 */

/** Surroundings of a variable: prose or an attribute, literal code, or JavaScript. */
export type VariableContext = 'text' | 'code' | 'script'

export interface ProtectedSource {
  source: string
  /** Inserts values. Undefined variables are restored as written. */
  restore(text: string, variableContext: VariableContext, onUndefined?: (name: string) => void): string
}

const VARIABLE_USE = /(?<![$=\\{])\{\{[ \t]*([A-Za-z0-9-]+)[ \t]*\}\}(?!\})/g

export function protectVariables(
  source: string,
  variables: Readonly<Record<string, string>>,
): ProtectedSource {
  const uses: { name: string; written: string }[] = []
  const marker = findUnusedCharacter(source)
  const marked = source.replace(VARIABLE_USE, (written, name: string) => {
    uses.push({ name, written })
    return `${marker}${uses.length - 1}${marker}`
  })
  if (uses.length === 0) return { source, restore: (text) => text }
  const encoded = encodeURIComponent(marker)
  const pattern = new RegExp(`(?:${marker}|${encoded})(\\d+)(?:${marker}|${encoded})`, 'g')
  return {
    source: marked,
    restore: (text, variableContext, onUndefined) =>
      text.replace(pattern, (_, index) => {
        const use = uses[Number(index)]
        if (!use) return ''
        const value = Object.hasOwn(variables, use.name) ? String(variables[use.name]) : null
        if (value === null) {
          if (variableContext === 'text') onUndefined?.(use.name)
          return use.written
        }
        return variableContext === 'script' ? JSON.stringify(value).slice(1, -1) : value
      }),
  }
}

/** Returns a private use character that does not occur in the text. */
export function findUnusedCharacter(source: string): string {
  for (let code = 0xe0f0; code < 0xf8ff; code++) {
    const character = String.fromCharCode(code)
    if (!source.includes(character)) return character
  }
  return '\u{10FFFD}'
}
