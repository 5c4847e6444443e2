/**
 * `{{name}}` in pages and snippets. A value must never become markup, so each use is exchanged for a marker before the
 * text is parsed, and the marker for the value afterwards, where it can only be text.
 */

/** What the text around it is: prose and attributes, literal code, or JavaScript. */
export type VariablePlace = 'text' | 'code' | 'script'

export interface ProtectedSource {
  source: string
  /** Puts values in; a variable that is not defined comes back as the author wrote it. */
  restore(text: string, place: VariablePlace, onUndefined?: (name: string) => void): string
}

const USE = /(?<![$=\\{])\{\{[ \t]*([A-Za-z0-9-]+)[ \t]*\}\}(?!\})/g

export function protectVariables(
  source: string,
  variables: Readonly<Record<string, string>>,
): ProtectedSource {
  const uses: { name: string; written: string }[] = []
  const marker = unusedCharacter(source)
  const marked = source.replace(USE, (written, name: string) => {
    uses.push({ name, written })
    return `${marker}${uses.length - 1}${marker}`
  })
  if (uses.length === 0) return { source, restore: (text) => text }
  const encoded = encodeURIComponent(marker)
  const pattern = new RegExp(`(?:${marker}|${encoded})(\\d+)(?:${marker}|${encoded})`, 'g')
  return {
    source: marked,
    restore: (text, place, onUndefined) =>
      text.replace(pattern, (_, index) => {
        const use = uses[Number(index)]
        if (!use) return ''
        const value = Object.hasOwn(variables, use.name) ? String(variables[use.name]) : null
        if (value === null) {
          if (place === 'text') onUndefined?.(use.name)
          return use.written
        }
        return place === 'script' ? JSON.stringify(value).slice(1, -1) : value
      }),
  }
}

/** A character of the private use area that the text does not hold. */
export function unusedCharacter(source: string): string {
  for (let code = 0xe0f0; code < 0xf8ff; code++) {
    const character = String.fromCharCode(code)
    if (!source.includes(character)) return character
  }
  return '\u{10FFFD}'
}
