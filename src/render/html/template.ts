/** HTML that is written here: text is escaped unless it is markup, and addresses are left open. */
import { attributesPiece } from './addresses.ts'
import { escapeHtml, withBreaks } from './html.ts'
import { type Markup, MarkupWriter, type WrittenHtml } from './markup.ts'

type Value = string | number | null | undefined | false | Markup

export type AttributeValue = string | number | boolean | null | undefined

/** Text is escaped, markup is put in as it is, and null, undefined and false are nothing. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Markup {
  const writer = new MarkupWriter()
  texts.forEach((text, index) => {
    if (index > 0) put(writer, values[index - 1])
    writer.raw(text)
  })
  return writer.end()
}

function put(writer: MarkupWriter, value: Value): void {
  if (typeof value === 'string') writer.raw(escapeHtml(value))
  else if (typeof value === 'number') writer.raw(String(value))
  else if (value) writer.markup(value)
}

/**
 * ` name="value"` for each; true gives a bare name, false, null and undefined give nothing. `tag` is needed where the
 * address is fetched and not followed: `link`, `image`, `use`, `object`, `meta`.
 */
export function attributes(values: Readonly<Record<string, AttributeValue>>, tag = ''): Markup {
  const flat: (string | null)[] = []
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    flat.push(name, value === true ? null : String(value))
  }
  const piece = attributesPiece(tag, flat)
  return piece === '' ? [] : [piece]
}

/** `<tag name="value">`. */
export function startTag(tag: string, values: Readonly<Record<string, AttributeValue>>): Markup {
  return html`<${tag}${attributes(values, tag)}>`
}

/** Text whose long names may be divided. */
export function breakable(text: string): Markup {
  return raw(withBreaks(escapeHtml(text)))
}

/** Trusted HTML without places. */
export function raw(text: string): Markup {
  return text === '' ? [] : [text as WrittenHtml]
}

export function joined(parts: readonly Markup[]): Markup {
  const writer = new MarkupWriter()
  for (const part of parts) writer.markup(part)
  return writer.end()
}
