/** What theme components may ask of the page being rendered. Runs inside the isolate: no Node, no DOM. */
import type { ComponentChildren } from 'preact'
import type { ComponentWord } from '../words/component-words.ts'

export interface CodeOptions {
  language: string
  /** 1-based line numbers. */
  highlight: readonly number[]
  focus: readonly number[]
  lines: boolean
}

export interface PageScope {
  readonly iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  readonly hasAnchors: boolean
  /** True for what a browser renders again: it must find its icons in a place of its own. */
  readonly isInIsland: boolean
  /** HTML of an icon where there is a browser; null while the page is being built. */
  icon(attributes: Readonly<Record<string, string>>): string | null
  /** A word of the chrome in the language of the page; `{count}` and the like are put in by `filled`. */
  text(word: ComponentWord): string
  /** Registers a heading in order of appearance and returns an id that is unique on the page. */
  heading(heading: { text: string; level: number; id?: string; isInToc?: boolean }): string
  /**
   * Further ids by which links name a heading, where they are free: GitHub's, and the one with all punctuation. A
   * heading that comes later and is called so has it all the same.
   */
  headingAliases(text: string, id: string): string[]
  /** A unique id for another anchor (an accordion, a tab, a field), made from a text by the heading rules. */
  anchor(text: string): string
  /** The id, when nothing on the page has it yet; else null. For a second way to a place that has an id of its own. */
  otherAnchor(id: string): string | null
  /** Registers code for highlighting; the returned HTML stands for the `<code>` element and is replaced afterwards. */
  code(code: string, options: CodeOptions): string
  /** Records a tag of an Update. */
  updateTag(tag: string): void
  usesMermaid(): void
}

/** Text of children, as a reader would see it. */
export function textOf(children: ComponentChildren): string {
  if (children === null || children === undefined || typeof children === 'boolean') return ''
  if (Array.isArray(children)) return children.map(textOf).join('')
  if (typeof children === 'object') {
    const props = (children as { props?: { children?: ComponentChildren } }).props
    return props ? textOf(props.children) : ''
  }
  return String(children)
}

let current: PageScope | null = null

export function setPageScope(scope: PageScope | null): void {
  current = scope
}

/** The page being rendered; throws outside of a render. */
export function pageScope(): PageScope {
  if (!current) throw new Error('no page is being rendered')
  return current
}
