/** Formats catalogued messages with their parameters, in English or a translation. */
import { formatMessage, type MessageFormat } from '../text/format-message.ts'

export interface ErrorRef {
  code: string
  params?: Params
}

/** Lists of texts are formatted as code, lists of references as alternatives. */
export type Param = string | number | readonly string[] | readonly ErrorRef[]
export type Params = Readonly<Record<string, Param>>

/** Names of the required values of a message. Those of `select` are optional, because it has a default. */
type Names<Message extends string> =
  Message extends `${infer Head}{${string}, select, ${string}}}${infer Tail}`
    ? Required<Placeholders<Head>> | Names<Tail>
    : Required<Placeholders<Message>>
type Placeholders<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Required<Name extends string> = Name extends `${infer Counted}, plural, ${string}`
  ? Counted
  : Name extends `${string} ${string}` | ''
    ? never
    : Name

export type ParamsOf<Message extends string> = [Names<Message>] extends [never]
  ? [params?: Params]
  : [params: Readonly<Record<Names<Message>, Param>> & Params]

export interface ErrorFormat extends MessageFormat {
  expected(code: string): string | undefined
}

export function formatError(template: string, params: Params, format: ErrorFormat): string {
  const values = Object.entries(params).map(([name, param]) => [name, formatParam(param, format)])
  return formatMessage(template, Object.fromEntries(values), format)
}

function formatParam(param: Param, format: ErrorFormat): string | number {
  if (typeof param !== 'object') return param
  if (param.every((item) => typeof item === 'string')) return param.map((item) => `\`${item}\``).join(', ')
  const parts = (param as readonly ErrorRef[]).map(({ code, params = {} }) =>
    formatError(format.expected(code) ?? code, params, format),
  )
  return new Intl.ListFormat(format.language, { type: 'disjunction' }).format(parts)
}
