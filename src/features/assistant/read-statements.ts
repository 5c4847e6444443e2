/** Parses a model's output into statements: JSON objects on one or more lines, with any text around them. */

export interface Statement {
  text: string
  /** 1-based number of the passage. */
  passage: number
  quote: string
}

const MAX_STATEMENT_LENGTH = 2000
const MAX_OBJECT_LENGTH = 8000

export interface StatementReader {
  /** Returns null if no statement ends with this line. */
  add(line: string): Statement | null
  /** Returns the number of lines with invalid content. */
  unread(): number
  isOffTopic(): boolean
}

export function createStatementReader(): StatementReader {
  let open = ''
  let unread = 0
  let isOffTopic = false
  return {
    add(line) {
      const text = line
        .trim()
        .replace(/^```\w*$/, '')
        .replace(/^\[(?=\{)/, '')
      const isObjectStart = text.startsWith('{')
      if (open === '' && !isObjectStart) {
        if (/[\p{L}\p{N}]/u.test(text)) unread++
        return null
      }
      // A new object on this line replaces an unfinished one, which would otherwise consume all following lines.
      const isLost = open !== '' && text.startsWith('{"')
      if (isLost) unread++
      open = open === '' || isLost ? text : `${open}\n${text}`
      const value = parse(open.replace(/(?<![,\]\s])[,\]\s]+$/, ''))
      if (value === undefined) {
        if (open.length > MAX_OBJECT_LENGTH) {
          unread++
          open = ''
        }
        return null
      }
      open = ''
      const { covered, about } = (value ?? {}) as { covered?: unknown; about?: unknown }
      if (about === 'something else') isOffTopic = true
      if (covered !== undefined) return null
      const statement = toStatement(value)
      if (statement === null) unread++
      return statement
    },
    unread: () => unread + (open === '' ? 0 : 1),
    isOffTopic: () => isOffTopic,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toStatement(value: unknown): Statement | null {
  const { say, passage, quote } = (value ?? {}) as Record<string, unknown>
  const number = typeof passage === 'string' ? Number(passage) : passage
  if (typeof say !== 'string' || typeof quote !== 'string' || !Number.isInteger(number)) return null
  const text = say.trim()
  if (text === '' || text.length > MAX_STATEMENT_LENGTH) return null
  return { text, passage: number as number, quote }
}
