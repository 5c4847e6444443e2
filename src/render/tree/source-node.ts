/** A page as returned by the parser. */
/** Tree node (`hast` with MDX nodes), reduced to the fields that are used. */
export interface SourceNode {
  type: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: SourceNode[]
  value?: string
  name?: string | null
  attributes?: SourceAttribute[]
  data?: { lang?: string | null; meta?: string | null }
  position?: {
    start: { line: number; column: number; offset?: number }
    end: { line: number; offset?: number }
  }
}

export interface SourceAttribute {
  type: 'mdxJsxAttribute' | 'mdxJsxExpressionAttribute'
  name?: string
  value?: string | { type: string; value: string } | null
}
