/** The PageScope of one render: collects headings, code and tags, and can go back to an earlier moment. */

import type { IslandUse, PageOutcome, PageProgram } from '../tree/program.ts'
import { slug } from '../tree/slug.ts'
import type { CodeOptions, PageScope } from './page-scope.ts'

export interface PageState extends PageScope {
  readonly headings: PageOutcome['headings']
  readonly codes: PageOutcome['codes']
  readonly updateTags: string[]
  readonly islands: Map<string, IslandUse>
  isMermaidUsed(): boolean
  /** What is rendered meanwhile is an island, or static content inside of one. */
  within<T>(isIsland: boolean, render: () => T): T
  /** What was collected after the moment is forgotten: its component failed and shows something else. */
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
  const taken = new Set<string>()
  const order: string[] = []
  const islands = new Map<string, IslandUse>()
  let hasMermaid = false
  let isInIsland = false

  const claim = (wanted: string): string => {
    let id = wanted
    for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`
    taken.add(id)
    order.push(id)
    return id
  }

  return {
    iconLibrary: program.iconLibrary,
    hasAnchors: program.hasAnchors,
    headings,
    codes,
    updateTags,
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
    heading({ text, level, id, isInToc }) {
      const wanted = id === undefined || id === '' ? slug(text) || 'section' : String(id)
      const claimed = claim(wanted)
      headings.push({
        level,
        id: claimed,
        text: text.replace(/\s+/g, ' ').trim(),
        isInToc: isInToc !== false,
      })
      return claimed
    },
    anchor: (text) => claim(slug(text) || 'section'),
    otherAnchor: (id) => (id === '' || taken.has(id) ? null : claim(id)),
    code(code: string, options: CodeOptions) {
      codes.push({
        code: String(code),
        language: String(options.language ?? ''),
        highlight: [...options.highlight],
        focus: [...options.focus],
        lines: options.lines === true,
      })
      return `<o-code data-t="${program.token}" data-i="${codes.length - 1}"></o-code>`
    },
    updateTag(tag) {
      if (!updateTags.includes(tag)) updateTags.push(tag)
    },
    usesMermaid() {
      hasMermaid = true
    },
    isMermaidUsed: () => hasMermaid,
    moment: () => ({
      headings: headings.length,
      codes: codes.length,
      updateTags: updateTags.length,
      ids: order.length,
    }),
    rewind(moment) {
      headings.length = moment.headings
      codes.length = moment.codes
      updateTags.length = moment.updateTags
      for (const id of order.splice(moment.ids)) taken.delete(id)
    },
  }
}
