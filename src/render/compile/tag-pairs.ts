/**
 * Which tags of a page open and close each other. MDX wants both in the same paragraph, or both between the blocks of
 * one container; the parser says what stands where when every tag is given to it as one that is closed in itself.
 */
import { mdxToMdast } from 'satteri'
import { isVoidElement } from '../html/html-elements.ts'
import type { PageToken, TagToken } from './page-tokens.ts'
import { rewrite } from './rewrite.ts'
import { type Meanings, settleApart, settleUnmatched } from './token-meaning.ts'

interface Place {
  token: TagToken
  /** Of the paragraph, heading or cell; of a tag between blocks that of the container. */
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

/** Rounds in which tags get lines of their own: each may show others that then stand apart. */
const MOST_ROUNDS = 3

/** Gives every tag a meaning with which all are in pairs. */
export function settlePairs(
  source: string,
  tokens: readonly PageToken[],
  meanings: Meanings,
  features: object,
): void {
  for (let round = 1; ; round++) {
    const pairing = pairTags(source, tokens, meanings, features)
    if (pairing === null) return
    const apart = pairing.apart.filter((token) => meanings.of(token) === 'markup')
    if (apart.length === 0 || round === MOST_ROUNDS) {
      for (const token of pairing.unmatched) settleUnmatched(meanings, token, pairing.paired.has(token))
      return
    }
    for (const token of apart) settleApart(meanings, token)
  }
}

interface Pairing {
  /** Tags without their counterpart in the same place. */
  unmatched: readonly TagToken[]
  /** Those of them whose counterpart stands elsewhere in the same container, where lines of their own join them. */
  apart: readonly TagToken[]
  /** Those of them that have one anywhere. */
  paired: ReadonlySet<TagToken>
}

/** Null when the text cannot be parsed even so. */
function pairTags(
  source: string,
  tokens: readonly PageToken[],
  meanings: Meanings,
  features: object,
): Pairing | null {
  const tags: TagToken[] = []
  const { text } = rewrite(source, tokens, (token) => {
    if (token.kind === 'expression' && meanings.of(token) === 'markup') return '{0}'
    if (token.kind === 'raw') return '<o-alone/>'
    if (token.kind !== 'tag' || !/^(?:markup|apart)$/.test(meanings.of(token))) return meanings.textOf(token)
    if (token.tag.isSelfClosing || isVoidElement(token.tag.name)) return meanings.textOf(token, '<o-alone/>')
    tags.push(token)
    return meanings.textOf(token, WAITING)
  })
  let root: MdastNode
  try {
    root = mdxToMdast(text, { features, position: false }) as unknown as MdastNode
  } catch {
    return null
  }
  const places = placesOf(root)
  if (places.length !== tags.length) return null
  return pair(places.map((place, index) => ({ ...place, token: tags[index] as TagToken })))
}

/** A tag that is closed in itself, under a name that no page has. */
const WAITING = '<o-waiting/>'

function placesOf(root: MdastNode): Omit<Place, 'token'>[] {
  const found: Omit<Place, 'token'>[] = []
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

function pair(places: readonly Place[]): Pairing {
  const pairs = pairsOf(places)
  const isTogether = ([open, close]: Pair) => open.scope === close.scope
  const together = new Set(pairs.filter(isTogether).flat())
  // Tags within a heading or a cell have no lines of their own.
  const isMovable = ([open, close]: Pair) =>
    open.container === close.container && !open.isInBlock && !close.isInBlock
  const others = pairs.filter((one) => !isTogether(one))
  const left = places.filter((place) => !together.has(place))
  const tokens = (some: readonly Place[]) => some.map(({ token }) => token)
  return {
    unmatched: tokens(left),
    apart: tokens(others.filter(isMovable).flat()),
    paired: new Set(tokens(pairsOf(left).flat())),
  }
}

type Pair = [open: Place, close: Place]

/** A tag closes the last one of its name; what was opened in between is in no pair. */
function pairsOf(places: readonly Place[]): Pair[] {
  const pairs: Pair[] = []
  const open: Place[] = []
  const openAt = new Map<string, number[]>()
  for (const place of places) {
    const { name, isClosing } = place.token.tag
    const known = openAt.get(name) ?? []
    openAt.set(name, known)
    if (!isClosing) {
      known.push(open.push(place) - 1)
      continue
    }
    let at = known.pop()
    // Places at which a pair around them has ended.
    while (at !== undefined && open[at]?.token.tag.name !== name) at = known.pop()
    const opening = at === undefined ? undefined : open.splice(at)[0]
    if (opening) pairs.push([opening, place])
  }
  return pairs
}
