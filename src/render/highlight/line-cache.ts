/**
 * Cache of highlighted lines for one language and pair of themes. Code in documentation is repetitive: half to two
 * thirds of the lines of a large site occur more than once, in the same grammar state.
 *
 * The look of a line depends on its text and on the grammar state at the end of the previous line. Equal states are
 * replaced by the same object, which is the key under which lines are cached.
 */
import { INITIAL, type StateStack } from 'shiki/textmate'

export interface ColouredLine {
  html: string
  /** State at the end of the line. */
  state: StateStack
}

export interface LineCache {
  find(state: StateStack, line: string): ColouredLine | undefined
  /** Returns the state with which to continue. */
  store(state: StateStack, line: string, coloured: ColouredLine): StateStack
}

/** Characters of lines and their HTML; the cache is cleared when full. */
const MAX_CHARACTERS = 4_000_000
/** Distinct states per depth; lines that follow any other state are not cached. */
const MAX_STATES_PER_DEPTH = 50

/** Fields of vscode-textmate's states that affect colors but that `equals` ignores. */
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
