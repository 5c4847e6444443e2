/** HTML templates. Escapes text, inserts markup, and converts URLs to placeholders. */
import { createAttributesPiece } from './addresses.ts'
import { escapeHtml, insertBreaks } from './html.ts'
import { type Markup, MarkupWriter, type TrustedHtml } from './markup.ts'

type Value = string | number | null | undefined | false | Markup

export type AttributeValue = string | number | boolean | null | undefined

/** Escapes text and inserts markup unchanged. Omits null, undefined and false. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Markup {
  const writer = new MarkupWriter()
  texts.forEach((text, index) => {
    if (index > 0) appendValue(writer, values[index - 1])
    writer.raw(text)
  })
  return writer.end()
}

function appendValue(writer: MarkupWriter, value: Value): void {
  if (typeof value === 'string') writer.raw(escapeHtml(value))
  else if (typeof value === 'number') writer.raw(String(value))
  else if (value) writer.markup(value)
}

/**
 * Formats attributes. True results in a name without a value; false, null and undefined omit the attribute.
 * `tag` is required for elements that fetch their URL: `link`, `image`, `use`, `object`, `meta`.
 */
export function attributes(values: Readonly<Record<string, AttributeValue>>, tag = ''): Markup {
  const flat: (string | null)[] = []
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    flat.push(name, value === true ? null : String(value))
  }
  const piece = createAttributesPiece(tag, flat)
  return piece === '' ? [] : [piece]
}

export function startTag(tag: string, values: Readonly<Record<string, AttributeValue>>): Markup {
  return html`<${tag}${attributes(values, tag)}>`
}

/** Adds line break opportunities to long names. */
export function breakable(text: string): Markup {
  return raw(insertBreaks(escapeHtml(text)))
}

/** Returns trusted HTML without placeholders as markup. */
export function raw(text: string): Markup {
  return text === '' ? [] : [text as TrustedHtml]
}

export function joinMarkup(parts: readonly Markup[]): Markup {
  const writer = new MarkupWriter()
  for (const part of parts) writer.markup(part)
  return writer.end()
}
