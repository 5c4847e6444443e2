/**
 * Lines of one language in one pair of themes that were coloured before. Code of documentation repeats itself: of the
 * lines of a large site half to two thirds are there more than once, in the same place of the grammar.
 *
 * What a line looks like depends on its text and on the state in which the line above it ended; states that are equal
 * are made one object, under which the lines are kept.
 */
import { INITIAL, type StateStack } from 'shiki/textmate'

export interface ColouredLine {
  html: string
  /** The state after it. */
  state: StateStack
}

export interface LineMemory {
  find(state: StateStack, line: string): ColouredLine | undefined
  /** Answers the state to go on with. */
  keep(state: StateStack, line: string, coloured: ColouredLine): StateStack
}

/** Characters of lines and their HTML; what is beyond begins anew. */
const MOST_CHARACTERS = 4_000_000
/** States of one depth that are told apart; a line after any other is coloured each time. */
const MOST_OF_DEPTH = 50

/** What vscode-textmate's states hold beside what their `equals` looks at, and what colours depend on. */
interface StackFrame {
  parent: StackFrame | null
  beginRuleCapturedEOL: boolean
}

export function createLineMemory(): LineMemory {
  let byDepth = new Map<number, StateStack[]>()
  let byState = new Map<StateStack, Map<string, ColouredLine>>([[INITIAL, new Map()]])
  let characters = 0

  const onlyOne = (state: StateStack): StateStack => {
    const known = byDepth.get(state.depth) ?? []
    const equal = known.find((one) => one === state || isSame(one, state))
    if (equal) return equal
    if (known.length === MOST_OF_DEPTH) return state
    byDepth.set(state.depth, [...known, state])
    byState.set(state, new Map())
    return state
  }

  return {
    find: (state, line) => byState.get(state)?.get(line),
    keep: (state, line, { html, state: after }) => {
      characters += line.length + html.length
      if (characters > MOST_CHARACTERS) {
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
