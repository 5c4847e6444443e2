/**
 * Matches opening and closing tags. MDX requires both tags in the same paragraph, or both between blocks of the same
 * container. To locate tags, this module passes all of them to the parser as self-closing.
 */
import { mdxToMdast } from 'satteri'
import { isVoidElement } from '../html/html-elements.ts'
import type { PageToken, TagToken } from './page-tokens.ts'
import { rewrite } from './rewrite.ts'
import { type Meanings, resolveCrossBlockPair, resolveUnmatched } from './token-meaning.ts'

interface TagPosition {
  token: TagToken
  /** Number of the enclosing paragraph, heading or cell. For a tag between blocks, number of the container. */
  scope: number
  container: number
  isInBlock: boolean
}

interface MdastNode {
  type: string
  name?: string | null
  children?: MdastNode[]
}

const CONTAINERS = new Set(['root', 'listItem', 'blockquote', 'footnoteDefinition'])
const SCOPES = new Set(['paragraph', 'heading', 'tableCell', 'link'])

/** Maximum number of passes that move tags to separate lines. Each pass may separate further pairs. */
const MAX_ROUNDS = 3

/** Changes the meaning of tags until all remaining tags are paired. */
export function resolvePairs(
  source: string,
  tokens: readonly PageToken[],
  meanings: Meanings,
  features: object,
): void {
  for (let round = 1; ; round++) {
    const pairing = pairTags(source, tokens, meanings, features)
    if (pairing === null) return
    const apart = pairing.apart.filter((token) => meanings.of(token) === 'markup')
    if (apart.length === 0 || round === MAX_ROUNDS) {
      for (const token of pairing.unmatched) resolveUnmatched(meanings, token, pairing.paired.has(token))
      return
    }
    for (const token of apart) resolveCrossBlockPair(meanings, token)
  }
}

interface TagPairing {
  /** Tags without a counterpart in the same scope. */
  unmatched: readonly TagToken[]
  /** Unmatched tags that would match on separate lines, because their counterpart is in the same container. */
  apart: readonly TagToken[]
  /** Unmatched tags with a counterpart anywhere on the page. */
  paired: ReadonlySet<TagToken>
}

/** Returns null if the text cannot be parsed. */
function pairTags(
  source: string,
  tokens: readonly PageToken[],
  meanings: Meanings,
  features: object,
): TagPairing | null {
  const tags: TagToken[] = []
  const { text } = rewrite(source, tokens, (token) => {
    if (token.kind === 'expression' && meanings.of(token) === 'markup') return '{0}'
    if (token.kind === 'raw') return '<o-alone/>'
    if (token.kind !== 'tag' || !/^(?:markup|apart)$/.test(meanings.of(token))) return meanings.textOf(token)
    if (token.tag.isSelfClosing || isVoidElement(token.tag.name)) return meanings.textOf(token, '<o-alone/>')
    tags.push(token)
    return meanings.textOf(token, PENDING_TAG)
  })
  let root: MdastNode
  try {
    root = mdxToMdast(text, { features, position: false }) as unknown as MdastNode
  } catch {
    return null
  }
  const tagPositions = findPositions(root)
  if (tagPositions.length !== tags.length) return null
  return pair(tagPositions.map((tagPosition, index) => ({ ...tagPosition, token: tags[index] as TagToken })))
}

/** Self-closing tag with a reserved name, to locate tags. */
const PENDING_TAG = '<o-waiting/>'

function findPositions(root: MdastNode): Omit<TagPosition, 'token'>[] {
  const found: Omit<TagPosition, 'token'>[] = []
  let scopes = 0
  const walk = (node: MdastNode, container: number, scope: number, isInBlock: boolean) => {
    const isContainer = CONTAINERS.has(node.type)
    const isScope = SCOPES.has(node.type)
    if (node.name === 'o-waiting' && node.type.startsWith('mdxJsx'))
      found.push({ scope, container, isInBlock })
    if (isContainer || isScope) scopes += 1
    const own = isContainer || isScope ? scopes : scope
    for (const child of node.children ?? [])
      walk(child, isContainer ? own : container, own, isScope ? node.type !== 'paragraph' : isInBlock)
  }
  walk(root, 0, 0, false)
  return found
}

function pair(tagPositions: readonly TagPosition[]): TagPairing {
  const pairs = findPairs(tagPositions)
  const isTogether = ([open, close]: Pair) => open.scope === close.scope
  const together = new Set(pairs.filter(isTogether).flat())
  // Tags in a heading or cell cannot be moved to separate lines.
  const isMovable = ([open, close]: Pair) =>
    open.container === close.container && !open.isInBlock && !close.isInBlock
  const others = pairs.filter((one) => !isTogether(one))
  const unpaired = tagPositions.filter((tagPosition) => !together.has(tagPosition))
  const tokens = (some: readonly TagPosition[]) => some.map(({ token }) => token)
  return {
    unmatched: tokens(unpaired),
    apart: tokens(others.filter(isMovable).flat()),
    paired: new Set(tokens(findPairs(unpaired).flat())),
  }
}

type Pair = [open: TagPosition, close: TagPosition]

/** Matches each closing tag with the last open tag of its name. Tags opened in between remain unpaired. */
function findPairs(tagPositions: readonly TagPosition[]): Pair[] {
  const pairs: Pair[] = []
  const open: TagPosition[] = []
  const openAt = new Map<string, number[]>()
  for (const tagPosition of tagPositions) {
    const { name, isClosing } = tagPosition.token.tag
    const openTags = openAt.get(name) ?? []
    openAt.set(name, openTags)
    if (!isClosing) {
      openTags.push(open.push(tagPosition) - 1)
      continue
    }
    let at = openTags.pop()
    // Skips tags that were dropped when an enclosing pair was closed.
    while (at !== undefined && open[at]?.token.tag.name !== name) at = openTags.pop()
    const opening = at === undefined ? undefined : open.splice(at)[0]
    if (opening) pairs.push([opening, tagPosition])
  }
  return pairs
}
