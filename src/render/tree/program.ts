/**
 * Input and output of the isolate for one page: plain data in both directions, as JSON. A page without author code
 * consists of data only, so nothing in it is evaluated.
 */
import type { ComponentTexts } from '../words/component-texts.ts'

export type TreeNode =
  | string
  | TreeElement
  | TreeComponent
  | TreeExpression
  | TreeHtml
  | TreePart
  | TreeTemplate

/** HTML element; the theme may replace it with a component unless `isPlain`. */
export interface TreeElement {
  tag: string
  isPlain?: true
  props?: LiteralProps
  dynamic?: DynamicProp[]
  children?: TreeNode[]
}

export interface TreeComponent {
  name: string
  /** Index into the page's marks, which locate problems in the source. */
  mark: number
  props?: LiteralProps
  dynamic?: DynamicProp[]
  children?: TreeNode[]
}

/** `{…}` in text: a path of names, or the index of a function in the module's `code`. */
export interface TreeExpression {
  mark: number
  /** Source text with braces; shown if the expression cannot be evaluated. */
  source: string
  path?: string[]
  code?: number
}

/** Trusted HTML that the host generated for a formula. */
export interface TreeHtml {
  html: string
  text: string
}

/**
 * Placeholder for a part that the host renders, identified by number. `ids` are the ids that the part claims on the
 * page.
 */
export interface TreePart {
  part: number
  ids: ClaimedIds[]
  children?: TreeNode[]
}

/** `others` are additional ids for the same position, used only if they are free on the page. */
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

/** If `name` is null, the value is an object of props to spread. */
export interface DynamicProp {
  name: string | null
  value: TreeExpression
}

export interface ImportBinding {
  local: string
  /** `default`, `*`, or the exported name. */
  imported: string
  /** Path below the docs folder; null if the file does not exist or the import was rejected. */
  from: string | null
  mark: number
}

export interface MdxModule {
  kind: 'mdx'
  tree: TreeNode[]
  imports: ImportBinding[]
  data: Record<string, Literal>
  /** Body of a function that takes the JSX runtime and returns the module's exports; null without author code. */
  esm: { body: string; mark: number } | null
  /** Bodies of functions that take the JSX runtime and return the value of an expression. */
  code: string[]
}

/** A `.jsx`, `.tsx`, `.js` or `.ts` file as CommonJS. */
export interface ScriptModule {
  kind: 'script'
  code: string
  /** Maps specifiers to paths; unlisted specifiers cannot be resolved. */
  resolutions: Record<string, string>
  mark: number
}

export interface PageProgram {
  /** Secret part of the placeholders that the host replaces; other pages cannot guess it. */
  token: string
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler'
  hasAnchors: boolean
  words: ComponentTexts
  entry: string
  modules: Record<string, MdxModule | ScriptModule>
  /** Marks of components and expressions that must not run again. */
  disabled: number[]
  isCodeOff: boolean
  /**
   * True to give each component and expression a separate error boundary, and to announce it before it runs.
   */
  isGuarded: boolean
}

export interface PageOutcome {
  html: string
  headings: { level: number; id: string; text: string; isInToc: boolean }[]
  codes: { code: string; language: string; highlight: number[]; focus: number[]; lines: boolean }[]
  updateTags: string[]
  usesMermaid: boolean
  islands: IslandUse[]
  failures: Failure[]
  /** Ids assigned to the parts that the host renders, by part number. */
  parts: ClaimedIds[][]
}

/** Export that provides a component. `name` is a path of names such as `Chart` or `Parts.Chart`. */
export interface ComponentOrigin {
  module: string
  name: string
}

export interface IslandUse extends ComponentOrigin {
  /** Components passed as props: `Card` is built in, `snippets/x.jsx#Chart` an export. */
  given: string[]
}

export type FailureKind =
  | 'expression'
  | 'undefined_name'
  | 'unknown_component'
  | 'component'
  | 'browser_only'
  | 'module'
  /** A component with hooks that shows only its initial state, because it cannot run in the browser. */
  | 'island'

export interface Failure {
  kind: FailureKind
  mark: number
  /** Name of the component or expression, or a short error message. */
  detail: string
}
