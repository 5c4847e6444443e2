/** Functions of the current page for components of the theme. Runs in the isolate, without Node and DOM. */
import type { ComponentChildren } from 'preact'
import type { ComponentTextKey } from '../words/component-texts.ts'

export interface CodeOptions {
  language: string
  /** Line numbers, starting at 1. */
  highlight: readonly number[]
  focus: readonly number[]
  lines: boolean
}

export interface PageScope {
  readonly iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  readonly hasAnchors: boolean
  /** Whether a browser will render the component again, which requires a separate element for icons. */
  readonly isInIsland: boolean
  /** Returns the HTML of an icon in a browser, and null during the build. */
  icon(attributes: Readonly<Record<string, string>>): string | null
  text(word: ComponentTextKey): string
  /** Registers a heading in order of appearance. Returns an id that is unique on the page. */
  heading(heading: { text: string; level: number; id?: string; isInToc?: boolean }): string
  /**
   * Returns alternative ids of a heading for links: the id that GitHub assigns, and one with all punctuation. Excludes
   * ids that are already used. The regular id of a later heading takes precedence.
   */
  headingAliases(text: string, id: string): string[]
  /** Returns a unique id for another anchor (an accordion, a tab, a field), derived from a text. */
  anchor(text: string): string
  /** Reserves and returns an additional id for an anchor. Returns null if the id is empty or already used. */
  otherAnchor(id: string): string | null
  /** Registers code for highlighting. Returns a placeholder for the `<code>` element. */
  code(code: string, options: CodeOptions): string
  updateTag(tag: string): void
  usesMermaid(): void
}

/** Returns the visible text of children. */
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

/** Throws outside of rendering. */
export function pageScope(): PageScope {
  if (!current) throw new Error('no page is being rendered')
  return current
}
