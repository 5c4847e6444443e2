/** Functions of the page being rendered for theme components. Runs inside the isolate: no Node, no DOM. */
import type { ComponentChildren } from 'preact'
import type { ComponentTextKey } from '../words/component-texts.ts'

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
  /** True if a browser will render the component again: its icons need a separate element. */
  readonly isInIsland: boolean
  /** Returns an icon's HTML in a browser; null during the build. */
  icon(attributes: Readonly<Record<string, string>>): string | null
  /** Returns a UI text in the page's language; `filled` replaces `{count}` and the like. */
  text(word: ComponentTextKey): string
  /** Registers a heading in order of appearance; returns an id that is unique on the page. */
  heading(heading: { text: string; level: number; id?: string; isInToc?: boolean }): string
  /**
   * Returns alternative ids under which links may refer to a heading, unless taken: GitHub's, and one with all
   * punctuation. A later heading whose own id is the same takes precedence.
   */
  headingAliases(text: string, id: string): string[]
  /** Returns a unique id for another anchor (an accordion, a tab, a field), made from a text like a heading's. */
  anchor(text: string): string
  /** Returns the id if it is unused, else null. For additional ids of a location. */
  otherAnchor(id: string): string | null
  /** Registers code for highlighting; the returned HTML is a placeholder for the `<code>` element. */
  code(code: string, options: CodeOptions): string
  /** Records a tag of an Update. */
  updateTag(tag: string): void
  usesMermaid(): void
}

/** Returns the text of children as a reader sees it. */
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

/** Returns the page being rendered; throws outside a render. */
export function pageScope(): PageScope {
  if (!current) throw new Error('no page is being rendered')
  return current
}
