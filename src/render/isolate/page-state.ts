/** State of rendering a page: collects headings, code and tags, and can be reset to an earlier state. */

import type { IslandUse, PageOutcome, PageProgram, TreePart } from '../tree/program.ts'
import { slug } from '../tree/slug.ts'
import type { CodeOptions, PageScope } from './page-scope.ts'
import { createIds } from './unique-ids.ts'

export interface PageState extends PageScope {
  readonly headings: PageOutcome['headings']
  readonly codes: PageOutcome['codes']
  readonly updateTags: string[]
  readonly parts: PageOutcome['parts']
  /** Assigns the ids of a part. Returns the tags of its placeholder. */
  part(part: TreePart): [start: string, end: string]
  /** Returns heading aliases that cannot be used, because they are also regular ids on the page. */
  lostAliases(): string[]
  readonly islands: Map<string, IslandUse>
  isMermaidUsed(): boolean
  /** Runs `render` inside an island or, if `isIsland` is false, in static content of an island. */
  within<T>(isIsland: boolean, render: () => T): T
  /** Returns the current state. If a component fails, `rewind` drops everything collected since this state. */
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
