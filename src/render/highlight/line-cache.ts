/**
 * Caches highlighted lines of a language and a pair of themes. On a large site, between half and two thirds
 * of the lines occur more than once in the same state of the grammar.
 *
 * The result depends on the text of the line and on the state after the previous line. Equal states are
 * replaced with the same object, which is used as the key.
 */
import { INITIAL, type StateStack } from 'shiki/textmate'

export interface ColouredLine {
  html: string
  state: StateStack
}

export interface LineCache {
  find(state: StateStack, line: string): ColouredLine | undefined
  /** Returns the state for the next line. */
  store(state: StateStack, line: string, coloured: ColouredLine): StateStack
}

/** Maximum number of characters of lines and their HTML. The cache is cleared when full. */
const MAX_CHARACTERS = 4_000_000
/** Maximum number of different states per depth. Lines that follow any further state are not cached. */
const MAX_STATES_PER_DEPTH = 50

/** Field of vscode-textmate's states that affects colors but is ignored by `equals`. */
interface StackFrame {
  parent: StackFrame | null
  beginRuleCapturedEOL: boolean
}

export function createLineCache(): LineCache {
  let byDepth = new Map<number, StateStack[]>()
  let byState = new Map<StateStack, Map<string, ColouredLine>>([[INITIAL, new Map()]])
  let characters = 0

  const onlyOne = (state: StateStack): StateStack => {
    const knownStates = byDepth.get(state.depth) ?? []
    const equal = knownStates.find((one) => one === state || isSame(one, state))
    if (equal) return equal
    if (knownStates.length === MAX_STATES_PER_DEPTH) return state
    byDepth.set(state.depth, [...knownStates, state])
    byState.set(state, new Map())
    return state
  }

  return {
    find: (state, line) => byState.get(state)?.get(line),
    store: (state, line, { html, state: after }) => {
      characters += line.length + html.length
      if (characters > MAX_CHARACTERS) {
        byDepth = new Map()
        byState = new Map([[INITIAL, new Map()]])
        characters = 0
      }
      const next = onlyOne(after)
      byState.get(state)?.set(line, { html, state: next })
      return next
    },
  }
}

function isSame(one: StateStack, other: StateStack): boolean {
  if (!one.equals(other)) return false
  let a = one as unknown as StackFrame | null
  let b = other as unknown as StackFrame | null
  for (; a && b; a = a.parent, b = b.parent)
    if (a.beginRuleCapturedEOL !== b.beginRuleCapturedEOL) return false
  return true
}
