/** PageScope of one render: collects headings, code and tags, and can be reset to an earlier state. */

import { IDS_BEFORE_TEXT } from '../tree/chrome-ids.ts'
import type { IslandUse, PageOutcome, PageProgram, TreePart } from '../tree/program.ts'
import { githubSlug, punctuatedSlug, slug } from '../tree/slug.ts'
import type { CodeOptions, PageScope } from './page-scope.ts'

export interface PageState extends PageScope {
  readonly headings: PageOutcome['headings']
  readonly codes: PageOutcome['codes']
  readonly updateTags: string[]
  readonly parts: PageOutcome['parts']
  /** Claims the ids of a part of the host's; returns the tags that stand for it. */
  part(part: TreePart): [start: string, end: string]
  /** Heading aliases that are the id of something else on the page. */
  lostAliases(): string[]
  readonly islands: Map<string, IslandUse>
  isMermaidUsed(): boolean
  /** Marks everything rendered by `render` as an island, or as static content in one. */
  within<T>(isIsland: boolean, render: () => T): T
  /** Returns a point for `rewind`, which drops everything collected since: its component failed and was replaced. */
  moment(): Moment
  rewind(moment: Moment): void
}

export interface Moment {
  headings: number
  codes: number
  updateTags: number
  ids: number
}

export function createPageState(
  program: Pick<PageProgram, 'token' | 'iconLibrary' | 'hasAnchors' | 'words'>,
): PageState {
  const headings: PageOutcome['headings'] = []
  const codes: PageOutcome['codes'] = []
  const updateTags: string[] = []
  const parts: PageOutcome['parts'] = []
  const ids = createIds()
  const islands = new Map<string, IslandUse>()
  let hasMermaid = false
  let isInIsland = false
  const anchor = (text: string) => ids.claim(slug(text) || 'section')

  return {
    iconLibrary: program.iconLibrary,
    hasAnchors: program.hasAnchors,
    headings,
    codes,
    updateTags,
    parts,
    islands,
    get isInIsland() {
      return isInIsland
    },
    icon: () => null,
    text: (word) => program.words[word],
    within(isIsland, render) {
      const before = isInIsland
      isInIsland = isIsland
      try {
        return render()
      } finally {
        isInIsland = before
      }
    },
    heading(given) {
      const id = ids.claim(chooseId(given))
      headings.push(createEntry(given, id))
      return id
    },
    headingAliases: ids.headingAliases,
    anchor,
    otherAnchor: ids.otherAnchor,
    code(code: string, options: CodeOptions) {
      codes.push(createCode(code, options))
      return `<o-code data-t="${program.token}" data-i="${codes.length - 1}"></o-code>`
    },
    part({ part, ids: wanted }) {
      parts[part] = wanted.map(({ id, others }) => ({
        id: anchor(id),
        others: others.flatMap((other) => ids.otherAnchor(other) ?? []),
      }))
      return [`<o-part data-t="${program.token}" data-i="${part}">`, '</o-part>']
    },
    updateTag(tag) {
      if (!updateTags.includes(tag)) updateTags.push(tag)
    },
    usesMermaid() {
      hasMermaid = true
    },
    isMermaidUsed: () => hasMermaid,
    lostAliases: ids.lostAliases,
    ...moments({ headings, codes, updateTags }, ids),
  }
}

type HeadingOfPage = Parameters<PageScope['heading']>[0]

function chooseId({ text, id }: HeadingOfPage): string {
  return id === undefined || id === '' ? slug(text) || 'section' : String(id)
}

function createEntry({ text, level, isInToc }: HeadingOfPage, id: string): PageOutcome['headings'][number] {
  return { level, id, text: text.replace(/\s+/g, ' ').trim(), isInToc: isInToc !== false }
}

/** Generates ids that are unique on a page. */
function createIds() {
  const usedIds = new Set<string>(IDS_BEFORE_TEXT)
  const aliases = new Set<string>()
  const order: { id: string; among: Set<string> }[] = []
  const note = (id: string, among: Set<string>) => {
    among.add(id)
    order.push({ id, among })
  }
  const claim = (wanted: string): string => {
    let id = wanted
    for (let count = 2; usedIds.has(id); count++) id = `${wanted}-${count}`
    note(id, usedIds)
    return id
  }
  return {
    claim,
    otherAnchor: (id: string) => (id === '' || usedIds.has(id) ? null : claim(id)),
    headingAliases(text: string, id: string): string[] {
      const free = [...new Set([githubSlug(text), punctuatedSlug(text)])].filter(
        (one) => one !== '' && one !== id && !usedIds.has(one) && !aliases.has(one),
      )
      for (const alias of free) note(alias, aliases)
      return free
    },
    lostAliases: () => [...aliases].filter((alias) => usedIds.has(alias)),
    count: () => order.length,
    keep(count: number) {
      for (const { id, among } of order.splice(count)) among.delete(id)
    },
  }
}

function createCode(code: string, options: CodeOptions): PageOutcome['codes'][number] {
  return {
    code: String(code),
    language: String(options.language ?? ''),
    highlight: [...options.highlight],
    focus: [...options.focus],
    lines: options.lines === true,
  }
}

function moments(
  { headings, codes, updateTags }: Record<'headings' | 'codes' | 'updateTags', unknown[]>,
  ids: ReturnType<typeof createIds>,
): Pick<PageState, 'moment' | 'rewind'> {
  return {
    moment: () => ({
      headings: headings.length,
      codes: codes.length,
      updateTags: updateTags.length,
      ids: ids.count(),
    }),
    rewind(moment) {
      headings.length = moment.headings
      codes.length = moment.codes
      updateTags.length = moment.updateTags
      ids.keep(moment.ids)
    },
  }
}
