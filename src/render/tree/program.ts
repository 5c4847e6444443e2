/**
 * What the host hands to the isolate for one page, and what comes back: plain data both ways, as JSON. A page without
 * author code is data alone, so nothing of it is ever evaluated.
 */
import type { ComponentWords } from '../words/component-words.ts'

export type TreeNode =
  | string
  | TreeElement
  | TreeComponent
  | TreeExpression
  | TreeHtml
  | TreePart
  | TreeTemplate

/** HTML element; the theme may put a component in its place unless `isPlain`. */
export interface TreeElement {
  tag: string
  isPlain?: true
  props?: LiteralProps
  dynamic?: DynamicProp[]
  children?: TreeNode[]
}

export interface TreeComponent {
  name: string
  /** Index into the marks of the page: what to name in problems. */
  mark: number
  props?: LiteralProps
  dynamic?: DynamicProp[]
  children?: TreeNode[]
}

/** `{…}` in text: a path of names, or the index of a function in the module's `code`. */
export interface TreeExpression {
  mark: number
  /** As the author wrote it, braces included: shown when it cannot be evaluated. */
  source: string
  path?: string[]
  code?: number
}

/** Trusted HTML made by the host (mathematics). */
export interface TreeHtml {
  html: string
  /** What it says, for headings and titles. */
  text: string
}

/** What the host draws itself, by its number; it asks for ids that are unique on the page. */
export interface TreePart {
  part: number
  ids: ClaimedIds[]
  children?: TreeNode[]
}

/** `others`: further ids of the same place, where nothing on the page has them. */
export interface ClaimedIds {
  id: string
  others: string[]
}

/** Text of a code fence in a snippet: `{name}` is replaced by the prop of that name. */
export interface TreeTemplate {
  template: string
}

export type Literal = string | number | boolean | null | Literal[] | { [key: string]: Literal }
export type LiteralProps = Record<string, Literal>

/** `name` null: the value is an object of props that is spread. */
export interface DynamicProp {
  name: string | null
  value: TreeExpression
}

export interface ImportBinding {
  local: string
  /** `default`, `*`, or the exported name. */
  imported: string
  /** Path below the docs folder; null when there is no such file or the import was refused. */
  from: string | null
  mark: number
}

export interface MdxModule {
  kind: 'mdx'
  tree: TreeNode[]
  imports: ImportBinding[]
  /** Exports that are plain data. */
  data: Record<string, Literal>
  /** Body of a function that gets the JSX runtime and returns the module's exports; null without author code. */
  esm: { body: string; mark: number } | null
  /** Bodies of functions that get the JSX runtime and return the value of an expression. */
  code: string[]
}

/** A `.jsx`, `.tsx`, `.js` or `.ts` file as CommonJS. */
export interface ScriptModule {
  kind: 'script'
  code: string
  /** Specifier to path; a specifier that is not listed cannot be resolved. */
  resolutions: Record<string, string>
  mark: number
}

export interface PageProgram {
  /** Cannot be guessed by another page: part of the placeholders that the host replaces. */
  token: string
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  hasAnchors: boolean
  /** In the language of the page. */
  words: ComponentWords
  entry: string
  modules: Record<string, MdxModule | ScriptModule>
  /** Marks of what must not run again. */
  disabled: number[]
  /** Nothing of the author's is evaluated. */
  isCodeOff: boolean
  /** Each component and expression stands in its own error boundary and is announced before it runs. */
  isGuarded: boolean
}

export interface PageOutcome {
  html: string
  headings: { level: number; id: string; text: string; isInToc: boolean }[]
  codes: { code: string; language: string; highlight: number[]; focus: number[]; lines: boolean }[]
  updateTags: string[]
  usesMermaid: boolean
  /** Components that run in the reader's browser too, each once. */
  islands: IslandUse[]
  failures: Failure[]
  /** Ids that the host's parts have got, by their numbers. */
  parts: ClaimedIds[][]
}

/** The export that a component is: `name` is a path of names such as `Chart` or `Parts.Chart`. */
export interface ComponentOrigin {
  /** Key of `PageProgram.modules`. */
  module: string
  name: string
}

export interface IslandUse extends ComponentOrigin {
  /** Components that it is given as props: `Card` is built in, `snippets/x.jsx#Chart` an export. */
  given: string[]
}

export type FailureKind =
  | 'expression'
  | 'undefined_name'
  | 'unknown_component'
  | 'component'
  /** A component that is left to the reader's browser. */
  | 'browser_only'
  | 'module'
  /** A component with hooks that cannot run in the browser and shows its first state only. */
  | 'island'

export interface Failure {
  kind: FailureKind
  mark: number
  /** Name of the component or expression, or the message of what was thrown; short. */
  detail: string
}
